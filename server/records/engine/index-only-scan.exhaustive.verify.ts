// Index-only pages of one filter equal the pages of a scan. Without proof of the ids there is no page.
import sql from 'sql-template-tag'
import { beforeAll, describe, expect, test } from 'vitest'
import type { FilterOperator } from '../../../contract/operators.ts'
import type { Db } from '../../db/pool.ts'
import { buildTestService } from '../../test/build-app.ts'
import { everyOther } from '../../test/dose.ts'
import { buildEveryType } from '../every-type.fixture.ts'
import { filtersOfSearch } from '../filters/input.ts'
import { sortOf } from '../rows/sorting.ts'
import { plannerInput, preparePage } from './executor.ts'
import { type IndexedAs, indexEmptyObject } from './indexed.fixture.ts'
import type { PageQuery } from './page-query.ts'
import { readPath } from './path-reader.ts'
import { indexOnlyScan } from './plan/access-paths.ts'
import { indexOnlyScanOf } from './sql/index-only-scan.ts'
import { prepareFilters } from './sql/prepared-filters.ts'
import { rowSource } from './sql/row-source.ts'
import { readStatistics } from './statistics.ts'
import { buildThings, idsOf, type Things } from './things.fixture.ts'

const service = await buildTestService()
const { db } = service.ctx
const LOCALE = { country: 'US', currency: 'USD' }
const LIMIT = 20

const STORES: { name: string; as: IndexedAs }[] = [
  { name: 'values counted', as: { texts: 'values', keepsMissing: false } },
  { name: 'presence counted, with what is missing', as: { texts: 'presence', keepsMissing: true } },
]

const FILTERS: [slug: string, operator: FilterOperator, operand: string | string[]][] = [
  ['a_select', 'equals', 'Won'],
  ['a_select', 'notEquals', 'Won'],
  ['a_select', 'in', ['Won', 'Lead']],
  ['a_select', 'isEmpty', 'true'],
  ['a_select', 'isNotEmpty', 'true'],
  ['a_text', 'isEmpty', 'true'],
  ['a_text', 'startsWith', 'a'],
  ['a_number', 'greaterThan', '0'],
  ['a_number', 'between', ['-1', '10']],
  ['a_number', 'isNotEmpty', 'true'],
  ['a_number', 'notEquals', '1'],
  ['a_date', 'lessThan', '2025-12-31'],
  ['a_checkbox', 'isTrue', 'true'],
  ['a_phone_number', 'isEmpty', 'true'],
  ['many_select', 'isEmpty', 'true'],
  ['many_number', 'isEmpty', 'true'],
  ['a_list', 'isEmpty', 'true'],
]
/** Filters for which index rows do not give exactly the matching records. */
const NOT_SERVED: typeof FILTERS = [
  ['many_select', 'notEquals', 'Lead'],
  ['a_reference', 'isEmpty', 'true'],
]
const FIELDS = ['created_at', 'updated_at', 'a_number', 'a_text', 'a_date']
const PAGES = FIELDS.flatMap((field) =>
  (['asc', 'desc'] as const).flatMap((order) => [0, 33, 90].map((offset) => ({ field, order, offset }))),
)

describe.each(STORES)('index-only pages: $name', ({ as }) => {
  let things: Things

  beforeAll(async () => {
    things = await buildThings(service, { as, records: 150, seed: 29 })
    const { org, ids } = things
    for (const id of ids.filter((_, place) => place % 9 === 4))
      await org.patch(`/objects/things/records/${id}`, { data: { a_select: 'Won', a_number: null } })
    await org.delete('/objects/things/records/bulk', { ids: ids.filter((_, place) => place % 13 === 6) })
  })

  /** @returns undefined when there is no index-only scan for the page */
  async function bySet(query: PageQuery) {
    const { model } = things
    const request = preparePage(model, query).request
    const prepared = prepareFilters(request, query.filters)
    const source = rowSource(db, model)
    const indexOnly = indexOnlyScanOf(request, prepared)
    const statistics = await readStatistics(source, request.owner, prepared)
    const [path] = indexOnlyScan(plannerInput({ request, prepared, indexOnly }, statistics))
    if (!indexOnly || path?.path !== 'index_only_scan') return undefined
    return { ...(await source.rows(indexOnly.query())), isProven: path.isProven }
  }

  async function expectSame(query: PageQuery, what: string): Promise<boolean> {
    const found = await bySet(query)
    if (!found || (found.isProven && found.records.length === 0)) return false
    const whole = await things.scanned({ ...query, limit: query.limit + 1 })
    expect(idsOf(found), what).toEqual(idsOf(whole))
    return true
  }

  async function isPageServed(
    [attributeSlug, operator, value]: (typeof FILTERS)[number],
    { field, order, offset }: (typeof PAGES)[number],
  ): Promise<boolean> {
    const { model } = things
    const filters = filtersOfSearch({ filters: [{ attributeSlug, operator, value }] }, model, LOCALE)
    const sort = sortOf(model, { field, order, path: 'sort' })
    const query = { filters, sort, position: undefined, limit: LIMIT, offset, count: true }
    return expectSame(query, JSON.stringify({ attributeSlug, operator, field, order, offset }))
  }

  /** Whether an index-only scan serves any of the pages. */
  const isServed = async (
    filter: (typeof FILTERS)[number],
    pages: readonly (typeof PAGES)[number][] = PAGES,
  ) => (await Promise.all(pages.map((page) => isPageServed(filter, page)))).includes(true)

  test.each(FILTERS)('serve %s %s %s', async (...filter) => {
    const turn = FILTERS.findIndex(([slug, operator]) => slug === filter[0] && operator === filter[1])
    expect(await isServed(filter, everyOther(PAGES, turn))).toBe(true)
  })

  test('are read without nested left, anti and semi joins, even if PostgreSQL estimates a small object', async () => {
    const { model } = things
    for (const operator of ['equals', 'notEquals'] as const)
      for (const field of FIELDS) {
        const filter = { attributeSlug: 'a_select', operator, value: 'Won' }
        const filters = filtersOfSearch({ filters: [filter] }, model, LOCALE)
        const sort = sortOf(model, { field, order: 'asc', path: 'sort' })
        const query = { filters, sort, position: undefined, limit: LIMIT, offset: 33, count: true }
        const request = preparePage(model, query).request
        const set = indexOnlyScanOf(request, prepareFilters(request, filters))?.query()
        const plan = set && (await db.many<object>(sql`explain ${set.before ?? sql``} ${set.rows}`))
        expect(JSON.stringify(plan), `${operator}, ${field}`).not.toMatch(/Nested Loop (Left|Anti|Semi)/)
      }
  })

  test('records without a sort value are found without a scan of the index rows with values', async () => {
    const { model } = things
    for (const field of ['a_number', 'a_text', 'a_date'])
      for (const order of ['asc', 'desc'] as const) {
        const filter = { attributeSlug: field, operator: 'isEmpty' as const, value: 'true' }
        const filters = filtersOfSearch({ filters: [filter] }, model, LOCALE)
        const sort = sortOf(model, { field, order, path: 'sort' })
        const query = { filters, sort, position: undefined, limit: LIMIT, offset: 0, count: true }
        const asked: string[] = []
        const listening: Db = {
          ...db,
          maybeOne: (statement) => {
            asked.push(statement.text)
            return db.maybeOne(statement)
          },
        }
        for (const more of [
          {},
          { offset: 7 },
          { position: (await things.scanned({ ...query, limit: 5 })).next },
        ]) {
          const asking = { ...query, ...more }
          const path = { path: 'ordered_scan', bound: undefined, cost: 0 } as const
          const request = preparePage(model, asking).request
          const prepared = prepareFilters(request, filters)
          const page = await readPath(rowSource(listening, model), { request, prepared }, path)
          expect(idsOf(page)).toEqual(idsOf(await things.scanned({ ...asking, limit: LIMIT + 1 })))
        }
        expect(asked.join()).not.toMatch(/order by t.value (asc|desc)/)
      }
  })

  test.each(NOT_SERVED)('do not serve %s %s %s', async (...filter) => {
    expect(await isServed(filter)).toBe(false)
  })

  test('serve notContains only if the values of the text are counted', async () => {
    expect(await isServed(['a_text', 'notContains', 'b'])).toBe(as.texts === 'values')
  })

  test('serve isEmpty after a cursor only if index_missing has no rows of the attribute', async () => {
    const { model } = things
    const filters = filtersOfSearch(
      { filters: [{ attributeSlug: 'a_date', operator: 'isEmpty', value: 'true' }] },
      model,
      LOCALE,
    )
    for (const order of ['asc', 'desc'] as const) {
      const sort = sortOf(model, { field: 'created_at', order, path: 'sort' })
      const query = { filters, sort, position: undefined, limit: LIMIT, offset: 0, count: true }
      const { next } = await things.scanned({ ...query, limit: 7 })
      expect(next).toBeDefined()
      const isServed = await expectSame({ ...query, position: next }, order)
      expect(isServed).toBe(!as.keepsMissing)
    }
  })
})

test('a filter finds only texts in the same case, also on a deep page', async () => {
  const org = await service.org()
  await buildEveryType(org, (object) =>
    indexEmptyObject(db, object, { texts: 'values', keepsMissing: false }),
  )
  const texts = ['Won', 'WON', 'won']
  const records = Array.from({ length: 60 }, (_, n) => ({ data: { a_text: texts[n % 3], a_number: n } }))
  await org.post('/objects/things/records/bulk', { records })
  const asked = [
    { attributeSlug: 'a_text', operator: 'equals', value: 'WON' },
    { attributeSlug: 'a_text', operator: 'in', value: ['WON', 'absent'] },
  ]
  const cases = ['created_at', 'updated_at', 'a_number'].flatMap((field) =>
    asked.map((filter) => ({ field, filter })),
  )
  for (const { field, filter } of cases) {
    const { body } = await org.post<{ records: { data: { a_number: number } }[] }>(
      '/objects/things/records/search',
      {
        filters: [filter],
        sort: { field, order: 'asc' },
        offset: 12,
      },
    )
    expect(body.records.map(({ data }) => data.a_number)).toEqual([37, 40, 43, 46, 49, 52, 55, 58])
  }
})
