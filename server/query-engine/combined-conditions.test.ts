// Any of several conditions, and parts of texts that have no trigram: the same records, scanned and indexed.
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import type { FilterOperator } from '../../contract/operators.ts'
import { buildEveryType, dataOf, TEST_ATTRIBUTES } from '../records/every-type.fixture.ts'
import { matchesModel } from '../records/filter-model.fixture.ts'
import { buildTestService } from '../test/build-app.ts'
import type { Org } from '../test/factories.ts'
import { type IndexedAs, indexEmptyObject } from './indexed.fixture.ts'

const service = await buildTestService()
const RECORDS = 200
const SEARCH = '/objects/things/records/search'

type Data = Record<string, unknown>

interface Leaf {
  attributeSlug: string
  operator: FilterOperator
  value: string
}
type Tree = Leaf | { or: Tree[] } | { and: Tree[] }

const STORES: { name: string; as?: IndexedAs }[] = [
  { name: 'scanned' },
  { name: 'indexed, texts counted', as: { texts: 'values', keepsMissing: false } },
  { name: 'indexed, texts searched', as: { texts: 'presence', keepsMissing: true } },
]

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
const tree: fc.Arbitrary<Tree> = fc.oneof(
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

const attributes = new Map(TEST_ATTRIBUTES.map((one) => [one.slug, one]))

function holds(asked: Tree, data: Data): boolean {
  if ('or' in asked) return asked.or.some((one) => holds(one, data))
  if ('and' in asked) return asked.and.every((one) => holds(one, data))
  const { attributeSlug, operator, value } = asked
  const attribute = attributes.get(attributeSlug)
  if (!attribute) throw new Error(attributeSlug)
  return matchesModel({ ...attribute, operator, operand: value }, data[attributeSlug])
}

/** Texts longer than a key, whose end is not in it. */
const LONG = ['Tail', 'tai', 'l'].map((end) => `${'xé '.repeat(80)}${end}`)

interface Found {
  records: { id: string }[]
  pagination: { total: number; nextCursor?: string }
}

describe.each(STORES)('trees of filters: $name', ({ as }) => {
  let org: Org
  const stored = new Map<string, Data>()

  beforeAll(async () => {
    org = await service.org()
    const { targets } = await buildEveryType(org, async (id) => {
      if (as) await indexEmptyObject(service.ctx.db, id, as)
    })
    for (const id of targets) stored.set(id, {})
    const rows = fc.sample(dataOf(targets), { numRuns: RECORDS, seed: 31 })
    const long = LONG.map((a_text): Data => ({ a_text, many_text: [a_text, 'B'] }))
    const all = [...rows, ...long]
    for (let from = 0; from < all.length; from += 100) {
      const batch = all.slice(from, from + 100)
      const body = { records: batch.map((data) => ({ data })) }
      const reply = await org.post<{ results: { id: string }[] }>('/objects/things/records/bulk', body)
      for (const [index, { id }] of reply.body.results.entries()) stored.set(id, batch[index] ?? {})
    }
  })

  async function found(filter: Tree, order: 'asc' | 'desc'): Promise<{ ids: string[]; totals: number[] }> {
    const ids: string[] = []
    const totals: number[] = []
    for (let cursor: string | undefined; ; ) {
      const sort = { field: 'created_at', order }
      const { status, body } = await org.post<Found>(SEARCH, {
        ...{ filter, sort, limit: 100 },
        ...(cursor && { cursor }),
      })
      expect(status, JSON.stringify(body)).toBe(200)
      ids.push(...body.records.map(({ id }) => id))
      totals.push(body.pagination.total)
      cursor = body.pagination.nextCursor
      if (!cursor) return { ids, totals }
    }
  }

  test('find what plain JavaScript says, with the total, page after page', () =>
    fc.assert(
      fc.asyncProperty(tree, fc.constantFrom('asc', 'desc'), async (filter, order) => {
        const expected = [...stored].filter(([, data]) => holds(filter, data)).map(([id]) => id)
        const { ids, totals } = await found(filter, order)
        expect(ids, JSON.stringify(filter)).toEqual(
          order === 'asc' ? expected.toSorted() : expected.toSorted().toReversed(),
        )
        expect(new Set(totals)).toEqual(new Set([expected.length]))
      }),
      { numRuns: as ? 120 : 40 },
    ))

  test('say the total beside a page of one record', async () => {
    const filter = { or: [...LONG, 'x.org'].map((text) => part(text.slice(-4))) }
    const expected = [...stored].filter(([, data]) => holds(filter, data)).length
    const { body } = await org.post<Found>(SEARCH, { filter, limit: 1 })
    expect(body).toMatchObject({ records: { length: 1 }, pagination: { total: expected } })
  })
})

const part = (value: string): Leaf => ({ attributeSlug: 'a_text', operator: 'contains', value })
