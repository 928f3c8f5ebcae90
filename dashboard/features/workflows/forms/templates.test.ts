import { describe, expect, test } from 'vitest'
import { callOf, searchFunctions } from './function-calls.ts'
import { previewOf, shortText } from './template-preview.ts'
import {
  callNames,
  insertCall,
  insertValue,
  memberOf,
  onlyTemplate,
  openedAt,
  pathOf,
  readBy,
  templatesIn,
  withoutOpened,
} from './template-text.ts'

/** `¦` marks the caret, `<` and `>` mark the selection. */
function caretIn(marked: string) {
  const start = marked.search(/[<¦]/)
  const text = marked.replace(/[<>¦]/g, '')
  return { text, start, end: marked.includes('>') ? marked.indexOf('>') - 1 : start }
}

describe('inserting a value', () => {
  test.each([
    ['¦', '{{a.b}}'],
    ['Thank ¦ you', 'Thank {{a.b}} you'],
    ['Thank <them> you', 'Thank {{a.b}} you'],
    ['Thank {{¦', 'Thank {{a.b}}'],
    ['Thank {{tri¦', 'Thank {{a.b}}'],
    ['{{trig¦ger.data}}', '{{a.b}}'],
    ["{{x¦ | join ' | '}} and", "{{a.b | join ' | '}} and"],
    ['{{x}}¦', '{{x}}{{a.b}}'],
  ])('changes %s to %s', (marked, after) => {
    const { text, start, end } = caretIn(marked)
    const edit = insertValue(text, { start, end }, 'a.b')
    expect(edit.text).toBe(after)
    expect(edit.text.slice(0, edit.caret)).toMatch(/\}\}$/)
  })
})

test('adds a function to the template before the caret', () => {
  const text = 'Of {{a}} and {{b | day}}'
  expect(insertCall(text, 8, 'upper')).toEqual({ text: 'Of {{a | upper}} and {{b | day}}', caret: 16 })
  expect(insertCall(text, text.length, 'upper')?.text).toBe('Of {{a}} and {{b | day | upper}}')
  expect(insertCall(text, 0, 'upper')?.text).toBe('Of {{a | upper}} and {{b | day}}')
  expect(insertCall('none', 2, 'upper')).toBeUndefined()
})

test('the list opens after two braces, but not inside a template', () => {
  expect(openedAt('Hi {{', 5)).toBe(3)
  expect(openedAt('Hi {{ now }}', 5)).toBeUndefined()
  expect(openedAt('Hi {', 4)).toBeUndefined()
})

test('ignores braces in quotation marks', () => {
  expect(templatesIn("{{'}}' | upper}}")).toHaveLength(1)
  expect(onlyTemplate("{{'}}'}}")).toBe("'}}'")
  expect(onlyTemplate('{{a}} {{b}}')).toBeUndefined()
})

test.each([
  ['trigger.data.name', ['trigger', 'data', 'name']],
  [" steps.a.records[0]['first name'] | upper", ['steps', 'a', 'records', 0, 'first name']],
  ["'text' | upper", undefined],
  ['12', undefined],
  ['a b', undefined],
])('parses the path of %s', (inner, path) => {
  expect(pathOf(inner)).toEqual(path)
})

test.each([
  ['name', 'a.name'],
  ['first name', "a['first name']"],
  [0, 'a[0]'],
])('writes the path of the member %s', (name, expression) => {
  expect(memberOf('a', name)).toBe(expression)
})

describe('the preview of a text', () => {
  const scope = {
    trigger: { data: { name: 'Ada', amount: { amount: 5, currency: 'EUR' }, nothing: null } },
    steps: { found: { records: [{ id: 'x' }] } },
    vars: {},
  }
  test.each([
    ['{{trigger.data.name}}', { text: 'Ada' }],
    ['Hello {{trigger.data.name}}', { text: 'Hello Ada' }],
    ['{{trigger.data.amount}}', { text: '5 EUR' }],
    ['{{trigger.data.nothing}}', { text: '' }],
    ['{{trigger.data.name.constructor}}', { text: '' }],
    ['{{steps.found.records[0].id}}', { text: 'x' }],
    ['{{steps.found.records}}', { text: '1 in a list' }],
    ['{{steps.other.id}}', { text: '…', lacks: 'unknown' }],
    ['{{vars.x}}', { text: '…', lacks: 'unknown' }],
    ['{{item.x}}', { text: '…', lacks: 'unknown' }],
    ['Bearer {{secrets.TOKEN}}', { text: 'Bearer …', lacks: 'unknown' }],
    ['{{trigger.data.name | upper}}', { text: 'Ada', lacks: 'functions' }],
    ["{{'a' | upper}}", { text: '…', lacks: 'functions' }],
    ['no template', undefined],
  ])('shows the example values for %s', (text, preview) => {
    expect(previewOf(text, scope)).toEqual(preview)
  })
})

test('formats values on one line', () => {
  expect(shortText({ firstName: 'Ada', lastName: 'Lovelace' })).toBe('Ada Lovelace')
  expect(shortText(['a', 'b'])).toBe('a, b')
  expect(shortText('x'.repeat(400))).toHaveLength(301)
  expect(shortText('0198c0de-0000-7000-8000-000000000001')).toBe('')
  expect(shortText({ a: 1, b: 2 })).toBe('2 values')
})

test('finds functions by description, and inserts them with arguments', () => {
  expect([...searchFunctions('date attributes').values()].flat().map(({ name }) => name)).toContain('day')
  expect(searchFunctions('no such thing').size).toBe(0)
  expect(callOf('addDays')).toBe('addDays 1')
  expect(callOf('upper')).toBe('upper')
})

test.each([
  ['trigger.data.name', 'trigger.data.name', []],
  ["trigger.data.email | lower | split '@' | last", 'trigger.data.email', ['lower', 'split', 'last']],
  [' now | addDays 3 ', 'now', ['addDays']],
])('{{%s}} reads %s through %j', (inner, path, calls) => {
  expect(readBy(inner)).toBe(path)
  expect(callNames(inner)).toEqual(calls)
})

test('removes the braces that opened the list', () => {
  expect(withoutOpened('Hello {{ there', 8)).toEqual({ text: 'Hello  there', caret: 6 })
  expect(withoutOpened('Hello {{trig', 12)).toEqual({ text: 'Hello ', caret: 6 })
  expect(withoutOpened('Hello {{now}}', 9)).toBeUndefined()
})
