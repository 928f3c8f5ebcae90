import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { WORKFLOW_FUNCTIONS } from '../../../contract/workflow-functions.ts'
import { parseJson } from '../../base/json.ts'
import { begin } from './advance.ts'
import { FACTS, NOW, step, workflow } from './run.fixture.ts'
import { scopeOf } from './scope.ts'
import { TemplateError } from './template-error.ts'
import { parseTemplate } from './template-syntax.ts'
import { resolve, resolveConfig } from './templates.ts'

const scopeWith = (trigger: Record<string, unknown>, values = {}) =>
  scopeOf(workflow([]), { ...FACTS, trigger }, { ...begin(), values }, NOW)
const trigger = {
  n: 5,
  text: 'Ada',
  yes: true,
  nothing: null,
  big: parseJson('12345678901234567890.123'),
  list: ['a', 'b'],
  name: { firstName: 'Ada', lastName: 'Lovelace' },
  money: { amount: 1200.5, currency: 'EUR' },
  address: { line1: '1 Main St', city: 'Berlin' },
  records: [{ data: { email: 'a@x.org' } }, { data: { email: 'b@x.org' } }],
  headers: { 'content-type': 'text/html', 'a b': 1 },
  template: '{{trigger.n}}',
}
const scope = scopeWith(trigger, { 'steps.find': { count: 2 }, 'vars.x': 'y' })
const value = (config: unknown) => resolve(config, scope)

describe('a text that consists of one template returns the value', () => {
  test.each([
    ['{{trigger.n}}', 5],
    ['{{ trigger.n }}', 5],
    ['{{trigger.list}}', ['a', 'b']],
    ['{{trigger.records[1].data.email}}', 'b@x.org'],
    ['{{trigger.records.1.data.email}}', 'b@x.org'],
    ["{{trigger['records'][0]['data'].email}}", 'a@x.org'],
    ['{{trigger.headers.content-type}}', 'text/html'],
    ["{{trigger.headers['a b']}}", 1],
    ['{{trigger.nowhere.at.all}}', null],
    ['{{nowhere}}', null],
    ['{{trigger.list[7]}}', null],
    ['{{trigger.list.length}}', null],
    ['{{trigger.text.length}}', null],
    ['{{trigger.text[0]}}', null],
    ['{{steps.find.count}}', 2],
    ['{{vars.x}}', 'y'],
    ['{{run.id}}', FACTS.run.id],
    ['{{workflow.name}}', 'Big deal won'],
    ['{{organization.timeZone}}', 'Europe/Berlin'],
    ['{{now}}', '2026-11-20T10:00:00.000Z'],
    ["{{'{{'}}", '{{'],
    ["{{'it\\'s' | upper}}", "IT'S"],
    ['{{null}}', null],
    ['{{true}}', true],
    ['{{-1.5}}', -1.5],
    ['{{trigger.template}}', '{{trigger.n}}'],
    // Only http_request can read secrets.
    ['{{secrets.KEY}}', null],
  ])('%s is %j', (template, expected) => expect(value(template)).toEqual(expected))

  test('numbers keep their digits', () => {
    expect(JSON.stringify(value({ n: '{{trigger.big}}' }))).toBe('{"n":12345678901234567890.123}')
  })
})

describe('in other texts, values become text', () => {
  test.each([
    ['n={{trigger.n}}, {{trigger.yes}}', 'n=5, true'],
    ['[{{trigger.nothing}}{{nowhere}}]', '[]'],
    ['{{trigger.big}}!', '12345678901234567890.123!'],
    ['Dear {{trigger.name}}', 'Dear Ada Lovelace'],
    ['{{trigger.money}} due', '1200.5 EUR due'],
    ['at {{trigger.address}}', 'at 1 Main St, Berlin'],
    ['{{trigger.list}}.', 'a, b.'],
    ['{{trigger.headers}}.', '{"content-type":"text/html","a b":1}.'],
    ['}} {single} }}', '}} {single} }}'],
  ])('%s is %j', (template, expected) => expect(value(template)).toEqual(expected))
})

test('templates are resolved in lists and objects, but not in keys', () => {
  expect(value({ '{{trigger.n}}': ['{{trigger.n}}', { deep: '{{trigger.text}}' }, 1, null] })).toEqual({
    '{{trigger.n}}': [5, { deep: 'Ada' }, 1, null],
  })
})

describe('only own properties are read', () => {
  test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', '__defineGetter__'])('%s', (name) => {
    for (const path of [
      `trigger.${name}`,
      `trigger.name.${name}`,
      `trigger.list.${name}`,
      `trigger.text.${name}`,
      `steps.${name}`,
      `vars['${name}']`,
      name,
    ])
      expect(value(`{{${path}}}`), path).toBeNull()
  })

  test('a JSON key __proto__ is an ordinary key', () => {
    const config = JSON.parse('{"__proto__": "{{trigger.text}}"}')
    expect(JSON.stringify(value(config))).toBe('{"__proto__":"Ada"}')
    expect(resolve('{{trigger.__proto__.a}}', scopeWith(JSON.parse('{"__proto__": {"a": 1}}')))).toBe(1)
  })
})

describe('invalid templates', () => {
  test.each([
    ['{{}}', 'is empty'],
    ['{{trigger', 'has no }}'],
    ['{{trigger.}}', 'ends in a dot'],
    ['{{trigger..x}}', 'ends in a dot'],
    ['{{trigger[x]}}', 'brackets'],
    ['{{trigger[-1]}}', 'brackets'],
    ['{{trigger["a}}', 'quotation mark'],
    ['{{trigger | }}', 'no function name'],
    ['{{trigger + 1}}', 'cannot be read from "+ 1'],
    ['{{trigger upper}}', 'cannot be read from "upper'],
    ['{{1x}}', 'cannot be read'],
    ['{{ {{trigger}} }}', 'cannot be read'],
    [`{{trigger${' | upper'.repeat(21)}}}`, 'more than 20 functions'],
    ['{{trigger | join 1 2 3 4 5 6}}', 'more than 5 parameters'],
    [`{{trigger${'.a'.repeat(32)}}}`, 'more than 30 parts'],
  ])('%s has a problem that contains: %s', (template, why) => {
    expect(parseTemplate(`Text ${template}`).problem).toContain(why)
    expect(() => value(template)).toThrow(TemplateError)
  })
})

test('http_request gets real secrets if they are given, otherwise masks', () => {
  const request = step('http_request', {
    url: 'https://x.org',
    headers: { Authorization: 'Bearer {{secrets.A}}{{secrets.B}}' },
  })
  const masked = resolveConfig(request, scope)
  expect(masked).toMatchObject({ headers: { Authorization: 'Bearer ••••••••' } })
  const results: unknown[] = []
  const secrets = { values: { A: 'one' }, onResult: (result: unknown) => results.push(result) }
  expect(resolveConfig(request, scope, secrets)).toMatchObject({ headers: { Authorization: 'Bearer one' } })
  expect(results).toEqual(['one', null])
})

const segment = fc.oneof(
  fc.constantFrom(
    'trigger',
    'steps',
    '__proto__',
    'constructor',
    'valueOf',
    'length',
    'records',
    'data',
    '0',
  ),
  fc.stringMatching(/^[A-Za-z_][\w-]{0,5}$/),
)
const path = fc
  .array(segment, { minLength: 1, maxLength: 5 })
  .map((parts) => parts.join('.').replace(/^0/, 'trigger.0'))
const operand = fc.oneof(
  path,
  fc.double({ noDefaultInfinity: true, noNaN: true, min: -1e6, max: 1e6 }).map((n) => n.toFixed(2)),
  fc.string({ maxLength: 5 }).map((text) => `'${text.replaceAll(/['\\]/g, '')}'`),
)
const call = fc
  .tuple(fc.constantFrom(...Object.keys(WORKFLOW_FUNCTIONS)), fc.array(operand, { maxLength: 3 }))
  .map(([name, args]) => [name, ...args].join(' '))
const template = fc
  .tuple(operand, fc.array(call, { maxLength: 4 }))
  .map(([head, calls]) => `{{${[head, ...calls].join(' | ')}}}`)

test('property: any template with any values returns JSON', () => {
  fc.assert(
    fc.property(template, fc.jsonValue({ maxDepth: 4 }), (text, data) => {
      const at = scopeWith({ data, records: [data, data] }, { 'steps.a': data })
      const resolved = resolve([text, `x${text}`], at)
      expect(JSON.parse(JSON.stringify(resolved))).toHaveLength(2)
    }),
    { numRuns: 3000 },
  )
})

test('property: any text is resolved or throws a TemplateError', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('{', '}', '|', '.', '[', ']', "'", 'a', '1', ' ', '-', '\\') }),
      (text) => {
        try {
          resolve(text, scope)
        } catch (error) {
          expect(error).toBeInstanceOf(TemplateError)
        }
      },
    ),
    { numRuns: 5000 },
  )
})

test('property: functions never return inherited properties', () => {
  fc.assert(
    fc.property(fc.array(call, { minLength: 1, maxLength: 3 }), (calls) => {
      const found = resolve(`{{trigger.name | ${calls.join(' | ')}}}`, scope)
      expect(typeof found).not.toBe('function')
      expect(found).not.toBe(Object.prototype)
    }),
    { numRuns: 1000 },
  )
})
