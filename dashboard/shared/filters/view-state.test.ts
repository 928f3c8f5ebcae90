import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { SORTS_MAX } from '../../../contract/limits.ts'
import { SEARCH_OPERATORS } from '../../../contract/operators.ts'
import { SUMMARIES } from '../../../contract/summary-kinds.ts'
import type { FilterTree } from './filter.ts'
import {
  type Column,
  fullSearch,
  isSortOf,
  PLAIN,
  searchOf,
  sortedBy,
  stateOf,
  type ViewState,
  validViewSearch,
} from './view-state.ts'

const slug = fc.stringMatching(/^[a-z][a-z0-9_]{0,20}$/)
const optional = <One>(one: fc.Arbitrary<One>) => fc.option(one, { nil: undefined })
const defined = <Row extends object>(row: Row): Row =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined)) as Row

const operand = fc.oneof(fc.string(), fc.integer(), fc.boolean())
const condition = fc.record({
  attributeSlug: slug,
  operator: fc.constantFrom(...SEARCH_OPERATORS),
  value: fc.oneof(operand, fc.array(operand, { minLength: 1, maxLength: 3 })),
})
const { filter } = fc.letrec<{ filter: FilterTree; and: FilterTree; or: FilterTree }>((tie) => ({
  filter: fc.oneof({ maxDepth: 3, withCrossShrink: true }, condition, tie('and'), tie('or')),
  and: fc.record({ and: fc.array(tie('filter'), { minLength: 1, maxLength: 3 }) }),
  or: fc.record({ or: fc.array(tie('filter'), { minLength: 1, maxLength: 3 }) }),
}))
const column = fc
  .record({
    slug,
    width: optional(fc.integer({ min: 64, max: 800 })),
    isHidden: optional(fc.constant(true)),
    summary: optional(fc.constantFrom(...SUMMARIES)),
  })
  .map((one): Column => defined(one))
const state: fc.Arbitrary<ViewState> = fc.record({
  kind: fc.constantFrom('table', 'board'),
  columns: fc.uniqueArray(column, { selector: (one) => one.slug, maxLength: 8 }),
  filter: fc.option(filter),
  sort: fc.uniqueArray(fc.record({ field: slug, order: fc.constantFrom('asc', 'desc') }), {
    selector: ({ field }) => field,
    maxLength: SORTS_MAX,
  }),
  search: fc.string({ maxLength: 60 }),
  rowHeight: fc.constantFrom('compact', 'default', 'comfortable'),
  board: fc.option(fc.record({ groupBy: slug, sumOf: optional(slug) }).map(defined)),
})

/** The search parameters after a round trip through an address. */
const throughUrl = (search: object) => validViewSearch(JSON.parse(JSON.stringify(search)))

describe('a view in the address', () => {
  test('is restored, from any base view', () => {
    fc.assert(
      fc.property(state, state, (base, shown) => {
        expect(stateOf(base, throughUrl(searchOf(base, shown)))).toEqual(shown)
      }),
    )
  })

  test('is empty if the state equals the base view', () => {
    fc.assert(
      fc.property(state, (one) => {
        expect(searchOf(one, one)).toEqual({})
      }),
    )
  })

  test('is restored from fullSearch, independent of the base view', () => {
    fc.assert(
      fc.property(state, state, (base, shown) => {
        expect(stateOf(base, throughUrl(fullSearch(shown)))).toEqual(shown)
      }),
    )
  })

  test('has only valid parts after validViewSearch, for any input', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom(...Object.keys(fullSearch(PLAIN))), fc.jsonValue()),
        (search) => {
          const valid = validViewSearch(search)
          expect(validViewSearch({ ...valid })).toEqual(valid)
        },
      ),
    )
  })
})

test.each([
  ['an invalid condition', { filter: ['stage', 'resembles', 'Won'] }, { filter: false }],
  [
    'a filter in its long form',
    { filter: { attributeSlug: 'a', operator: 'equals', value: 1 } },
    { filter: ['a', 'equals', 1] },
  ],
  ['an empty group', { filter: { or: [] } }, { filter: false }],
  [
    'a group with an invalid condition',
    {
      filter: {
        or: [
          ['a', 'equals', 1],
          ['a', 'resembles', 1],
        ],
      },
    },
    { filter: false },
  ],
  ['a text as the filter', { filter: '["a"' }, { filter: false }],
  ['no filter at all', { filter: null }, { filter: null }],
  ['a number as the search text', { q: 42 }, { q: '42' }],
  ['a column named twice', { columns: 'name:10,-x,name,,1' }, { columns: 'name:64,-x' }],
  [
    'a part of values to sort by',
    { sort: '-name.lastName,address.city,a.b.c' },
    { sort: '-name.lastName,address.city' },
  ],
  ['too many sort fields, one of them repeated', { sort: 'a,-b,a,B,-c,d' }, { sort: 'a,-b,-c' }],
  ['an unknown row height and kind', { rows: 'huge', kind: 'pie' }, {}],
])('validViewSearch reads %s', (_, search, valid) => {
  expect(validViewSearch(search)).toEqual(valid)
})

const [byStage, byAmount] = [
  { field: 'stage', order: 'asc' },
  { field: 'amount', order: 'desc' },
] as const

test.each([
  ['it becomes the only one', [], byStage, [byStage]],
  ['it comes after another', [byStage], byAmount, [byStage, byAmount]],
  [
    'it replaces the sorts by parts of its values',
    [byAmount, { field: 'stage.a', order: 'desc' }, { field: 'stage_b', order: 'asc' }, byStage],
    { ...byStage, order: 'desc' },
    [byAmount, { ...byStage, order: 'desc' }, { field: 'stage_b', order: 'asc' }],
  ],
  [
    'it keeps its place',
    [byStage, byAmount],
    { ...byStage, order: 'desc' },
    [{ ...byStage, order: 'desc' }, byAmount],
  ],
] as const)('sortedBy adds a field: %s', (_, sort, added, expected) => {
  expect(sortedBy(sort, added)).toEqual(expected)
})

test.each([
  ['name', true],
  ['name.lastName', true],
  ['name_of_firm', false],
  ['firm.name', false],
])('isSortOf returns whether a sort is by an attribute or a part of it: %s', (field, expected) => {
  expect(isSortOf({ field, order: 'asc' }, 'name')).toBe(expected)
})
