import { expect, test } from 'vitest'
import type { ImportProblemGroup } from '../../../../contract/imports.ts'
import { attributeOf } from '../../../shared/api/attribute.fixture.ts'
import { choicesOf, isFixable, without, withReplacement } from './replacements.ts'

const group = (more: Partial<ImportProblemGroup> = {}): ImportProblemGroup => ({
  column: 'Stage',
  index: 1,
  value: 'Won!',
  code: 'unknown_option',
  message: '"Won!" is not one of the options',
  isSkipped: false,
  rows: 3,
  lines: [2, 3, 4],
  ...more,
})

const settings = (matchOn: string | null = null, part?: string) => ({
  mapping: [{ index: 1, attributeSlug: 'stage', ...(part !== undefined && { part }) }],
  matchOn,
  duplicates: null,
})

test.each([
  ['a wrong value', settings(), group(), true],
  ['a wrong part of a value', settings('email', 'country'), group(), true],
  ['a value that is taken', settings(), group({ code: 'unique_violation' }), false],
  ['a value without a place', settings(), group({ index: null }), false],
  ['a column that is not mapped', settings(), group({ index: 2 }), false],
  ['an empty cell', settings(), group({ value: '' }), true],
  ['an empty cell where rows update', settings('email'), group({ value: '' }), false],
  [
    'an empty cell where rows that match update',
    { ...settings(), duplicates: 'update' as const },
    group({ value: '' }),
    false,
  ],
  ['an empty part', settings(null, 'firstName'), group({ value: '' }), false],
])('whether a problem can be fixed by a replacement: %s (%#)', (_, mapped, problem, expected) => {
  expect(isFixable(mapped, problem)).toBe(expected)
})

test('offers choices for options, checkboxes, countries and currencies; other values are typed', () => {
  const select = attributeOf({ type: 'select', config: { options: ['Lead', 'Won'] } })
  expect(choicesOf(select, undefined)?.map(({ value }) => value)).toEqual(['Lead', 'Won'])
  expect(choicesOf({ ...select, isList: true }, undefined)).toBeUndefined()
  expect(choicesOf(attributeOf({ type: 'checkbox' }), undefined)).toHaveLength(2)
  expect(choicesOf(attributeOf({ type: 'address' }), 'country')).toContainEqual({
    value: 'DE',
    label: 'Germany',
  })
  expect(choicesOf(attributeOf({ type: 'currency' }), 'currency')).toContainEqual({
    value: 'EUR',
    label: 'EUR',
  })
  expect(choicesOf(attributeOf({ type: 'address' }), 'city')).toBeUndefined()
  expect(choicesOf(attributeOf({}), undefined)).toBeUndefined()
})

test('a value has at most one replacement, which can be removed', () => {
  const other = { index: 2, value: 'Won!', with: null }
  const all = [{ index: 1, value: 'Won!', with: 'Wonn' }, other]
  const again = withReplacement(all, { index: 1, value: 'Won!', with: 'Won' })
  expect(again).toEqual([other, { index: 1, value: 'Won!', with: 'Won' }])
  expect(without(again, { index: 1, value: 'Won!' })).toEqual([other])
})
