import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { SORTS_MAX } from '../../../contract/limits.ts'
import { SEARCH_OPERATORS } from '../../../contract/operators.ts'
import { SUMMARIES } from '../../../contract/summary-kinds.ts'
import type { FilterTree } from './filter.ts'
import {
  type Column,
  fullSearch,
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

/** What an address does to search parameters. */
const throughUrl = (search: object) => validViewSearch(JSON.parse(JSON.stringify(search)))

describe('a view in the address', () => {
  test('comes back as it was, from any view it began at', () => {
    fc.assert(
      fc.property(state, state, (base, shown) => {
        expect(stateOf(base, throughUrl(searchOf(base, shown)))).toEqual(shown)
      }),
    )
  })

  test('says nothing of what does not differ', () => {
    fc.assert(
      fc.property(state, (one) => {
        expect(searchOf(one, one)).toEqual({})
      }),
    )
  })

  test('in full does not depend on where it began', () => {
    fc.assert(
      fc.property(state, state, (base, shown) => {
        expect(stateOf(base, throughUrl(fullSearch(shown)))).toEqual(shown)
      }),
    )
  })

  test('is never more than can be read, with any address', () => {
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
  ['what is no condition', { filter: ['stage', 'resembles', 'Won'] }, { filter: false }],
  [
    'a filter in its long form',
    { filter: { attributeSlug: 'a', operator: 'equals', value: 1 } },
    { filter: ['a', 'equals', 1] },
  ],
  ['what is no group', { filter: { or: [] } }, { filter: false }],
  [
    'a group with a part that is no condition',
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
  ['text in place of a filter', { filter: '["a"' }, { filter: false }],
  ['no filter at all', { filter: null }, { filter: null }],
  ['a number looked for', { q: 42 }, { q: '42' }],
  ['a column named twice', { columns: 'name:10,-x,name,,1' }, { columns: 'name:64,-x' }],
  [
    'more to sort by than there may be, and one of them twice',
    { sort: 'a,-b,a,B,-c,d' },
    { sort: 'a,-b,-c' },
  ],
  ['a height there is not', { rows: 'huge', kind: 'pie' }, {}],
])('%s', (_, search, valid) => {
  expect(validViewSearch(search)).toEqual(valid)
})

const [byStage, byAmount] = [
  { field: 'stage', order: 'asc' },
  { field: 'amount', order: 'desc' },
] as const

test.each([
  ['the only one', [], byStage, [byStage]],
  ['after another', [byStage], byAmount, [byStage, byAmount]],
  [
    'in its place',
    [byStage, byAmount],
    { ...byStage, order: 'desc' },
    [{ ...byStage, order: 'desc' }, byAmount],
  ],
] as const)('a column that is sorted by too: %s', (_, sort, added, expected) => {
  expect(sortedBy(sort, added)).toEqual(expected)
})
