// Filters with several alternatives, and with parts of texts too short for a trigram, find the same records with and
// without an index.
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Tree as FilterTree } from '../../../../contract/filters.ts'
import { FILTERS_MAX } from '../../../../contract/limits.ts'
import type { FilterOperator } from '../../../../contract/operators.ts'
import { buildTestService } from '../../../test/build-app.ts'
import { cases } from '../../../test/dose.ts'
import type { Org } from '../../../test/factories.ts'
import { TEST_ATTRIBUTES } from '../../every-type.fixture.ts'
import { allFound, type Filled, fillEveryType, STORES } from '../../filters/filled.fixture.ts'
import { matchesModel, matchesModelTree } from '../../filters/model.fixture.ts'

const service = await buildTestService()

type Data = Record<string, unknown>

interface Leaf {
  attributeSlug: string
  operator: FilterOperator
  value: string
}
type Tree = FilterTree<Leaf>

const leaf = fc.oneof(
  fc.record<Leaf>({
    attributeSlug: fc.constantFrom('a_text', 'a_email', 'a_name', 'a_address', 'a_select', 'many_text'),
    operator: fc.constantFrom('contains', 'startsWith', 'endsWith', 'equals'),
    value: fc.constantFrom(
      'a',
      'B',
      'ab',
      '%',
      'Ж',
      'é',
      '👍',
      'x.org',
      'won',
      'Won',
      'le',
      'tail',
      'il',
      ' ',
    ),
  }),
  fc.constantFrom<Leaf>(
    { attributeSlug: 'a_number', operator: 'greaterThan', value: '0' },
    { attributeSlug: 'a_checkbox', operator: 'isTrue', value: 'true' },
    { attributeSlug: 'a_text', operator: 'isEmpty', value: 'true' },
    { attributeSlug: 'a_text', operator: 'notContains', value: 'a' },
  ),
)
const group = (member: fc.Arbitrary<Tree>) => fc.array(member, { minLength: 2, maxLength: 4 })
const flat: fc.Arbitrary<Tree> = fc.oneof(
  { weight: 2, arbitrary: leaf },
  { weight: 4, arbitrary: group(leaf).map((or) => ({ or })) },
  {
    weight: 2,
    arbitrary: group(
      fc.oneof(
        leaf,
        group(leaf).map((and) => ({ and })),
      ),
    ).map((or) => ({ or })),
  },
  {
    weight: 1,
    arbitrary: group(
      fc.oneof(
        leaf,
        group(leaf).map((or) => ({ or })),
      ),
    ).map((and) => ({ and })),
  },
)

const leafCount = (one: Tree): number => {
  if ('not' in one) return leafCount(one.not)
  const members = 'and' in one ? one.and : 'or' in one ? one.or : undefined
  return members ? members.reduce((sum, member) => sum + leafCount(member), 0) : 1
}

/** Trees of groups and leaves, some of them negated, up to the maximum depth and number of filters. */
const trees: fc.Arbitrary<Tree> = fc.oneof(
  { weight: 3, arbitrary: flat },
  { weight: 1, arbitrary: flat.map((not) => ({ not })) },
  {
    weight: 1,
    arbitrary: group(
      fc.oneof(
        leaf,
        flat.map((not): Tree => ({ not: { not } })),
      ),
    ).map((and) => ({ and })),
  },
)
const tree = trees.filter((one) => leafCount(one) <= FILTERS_MAX)

const attributes = new Map(TEST_ATTRIBUTES.map((one) => [one.slug, one]))

const holds = (asked: Tree, data: Data): boolean =>
  matchesModelTree(asked, ({ attributeSlug, operator, value }) => {
    const attribute = attributes.get(attributeSlug)
    if (!attribute) throw new Error(attributeSlug)
    return matchesModel({ ...attribute, operator, operand: value }, data[attributeSlug])
  })

/** Texts longer than a key. Their ends are not in the key. */
const LONG = ['Tail', 'tai', 'l'].map((end) => `${'xé '.repeat(80)}${end}`)

describe.each(STORES)('trees of filters: $name', ({ as }) => {
  let org: Org
  let stored: Filled['stored']

  beforeAll(async () => {
    const more = LONG.map((a_text): Data => ({ a_text, many_text: [a_text, 'B'] }))
    const filled = await fillEveryType(service, { as, records: 200, more })
    org = filled.org
    stored = filled.stored
  })

  test('find the same records as plain JavaScript, with the total, page after page', () =>
    fc.assert(
      fc.asyncProperty(tree, fc.constantFrom('asc', 'desc'), async (filter, order) => {
        const expected = [...stored].filter(([, data]) => holds(filter, data)).map(([id]) => id)
        const { ids, totals } = await allFound(org, { filter, sort: { field: 'created_at', order } })
        expect(ids, JSON.stringify(filter)).toEqual(
          order === 'asc' ? expected.toSorted() : expected.toSorted().toReversed(),
        )
        expect(new Set(totals)).toEqual(new Set([expected.length]))
      }),
      { numRuns: cases(as ? 120 : 40) },
    ))

  test('give the same total with a page of one record', async () => {
    const filter = { or: [...LONG, 'x.org'].map((text) => part(text.slice(-4))) }
    const expected = [...stored].filter(([, data]) => holds(filter, data)).length
    const { body } = await org.post('/objects/things/records/search', { filter, limit: 1 })
    expect(body).toMatchObject({ records: { length: 1 }, pagination: { total: expected } })
  })
})

const part = (value: string): Leaf => ({ attributeSlug: 'a_text', operator: 'contains', value })
