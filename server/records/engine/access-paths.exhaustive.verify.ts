// Every access path to a page returns the same records: the planner's choice affects only the time.
import fc from 'fast-check'
import sql from 'sql-template-tag'
import { beforeAll, describe, expect, test } from 'vitest'
import type { FilterOperator } from '../../../contract/operators.ts'
import { buildTestService } from '../../test/build-app.ts'
import { cases } from '../../test/dose.ts'
import type { Org } from '../../test/factories.ts'
import { buildEveryType, dataOf } from '../every-type.fixture.ts'
import { filtersOfSearch } from '../filters/input.ts'
import { sortOf, sortOfAll } from '../rows/sorting.ts'
import { preparePage } from './executor.ts'
import { scanPage } from './full-scan.ts'
import { indexEmptyObject } from './indexed.fixture.ts'
import type { Page } from './page-query.ts'
import { readPath } from './path-reader.ts'
import type { AccessPath } from './plan/access-paths.ts'
import { countPlan } from './plan/count.ts'
import { countQuery } from './sql/count-query.ts'
import { type PreparedFilter, prepareFilters } from './sql/prepared-filters.ts'
import { rowSource } from './sql/row-source.ts'
import { type Indexed, readStatistics } from './statistics.ts'
import { buildThings } from './things.fixture.ts'

const service = await buildTestService()
const { db, models } = service.ctx
const RECORDS = 300
const HEAD_RECORDS = 200
const LOCALE = { country: 'US', currency: 'USD' }

let org: Org
let model: Indexed

const prepare = ({ org, obj, index }: Indexed, filters: PreparedFilter['filter'][]) =>
  prepareFilters({ owner: { org, obj }, index }, filters)

beforeAll(async () => {
  org = await service.org()
  const { id, ...named } = await buildEveryType(org, (object) =>
    indexEmptyObject(db, object, { texts: 'presence', keepsMissing: true }),
  )
  const rows = fc.sample(dataOf(named), RECORDS)
  for (let from = 0; from < rows.length; from += 100)
    await org.post('/objects/things/records/bulk', {
      records: rows.slice(from, from + 100).map((data) => ({ data })),
    })
  const { number } = await db.one<{ number: number }>(sql`select org as number from objects where id = ${id}`)
  const loaded = await models.get(db, number, id)
  if (!loaded.index) throw new Error('The object has no index')
  model = { ...loaded, index: loaded.index }
})

interface Filter {
  attributeSlug: string
  operator: FilterOperator
  value: string
}

const FILTERS: Filter[] = [
  { attributeSlug: 'a_select', operator: 'equals', value: 'Won' },
  { attributeSlug: 'a_select', operator: 'contains', value: 'l' },
  { attributeSlug: 'a_number', operator: 'greaterThan', value: '0' },
  { attributeSlug: 'a_checkbox', operator: 'isTrue', value: 'true' },
  { attributeSlug: 'a_checkbox', operator: 'isFalse', value: 'true' },
  { attributeSlug: 'a_text', operator: 'isEmpty', value: 'true' },
  { attributeSlug: 'a_text', operator: 'startsWith', value: 'a' },
  { attributeSlug: 'a_email', operator: 'contains', value: 'x.org' },
  { attributeSlug: 'a_date', operator: 'lessThan', value: '2025-06-01' },
  { attributeSlug: 'many_select', operator: 'equals', value: 'Lead' },
]

const SORTS = ['created_at', 'updated_at', 'a_number', 'a_text', 'a_select', 'a_date']

const request = fc.record({
  filters: fc.uniqueArray(fc.constantFrom(...FILTERS), {
    maxLength: 3,
    selector: (one) => one.attributeSlug + one.operator,
  }),
  sorts: fc.uniqueArray(
    fc.record({
      field: fc.constantFrom(...SORTS),
      order: fc.constantFrom<'asc' | 'desc'>('asc', 'desc'),
      path: fc.constant('sort'),
    }),
    { minLength: 1, maxLength: 3, selector: ({ field }) => field },
  ),
  limit: fc.integer({ min: 1, max: 40 }),
  offset: fc.constantFrom(0, 0, 1, 17, 150, 400),
})

/** Every path without a bound that the prepared filters allow. */
function everyPath(filters: number, isIdOrder: boolean, prepared: readonly PreparedFilter[]): AccessPath[] {
  const places = Array.from({ length: filters }, (_, place) => place).filter(
    (place) => prepared[place]?.indexCondition,
  )
  return [
    { path: 'ordered_scan', bound: undefined, cost: 0 },
    { path: 'full_scan', cost: 0 },
    ...places.map((filter): AccessPath => ({ path: 'fetch_and_sort', filter, bound: undefined, cost: 0 })),
    ...places
      .filter((place) => isIdOrder && prepared[place]?.indexCondition?.isOrdered)
      .map((filter): AccessPath => ({ path: 'index_scan', filter, bound: undefined, cost: 0 })),
  ]
}

/** Bounded scans by the first of several sort keys. Each returns the beginning of the page, or all of it. */
const boundedPaths = [1, 20, 120].map((bound): AccessPath => ({ path: 'ordered_scan', bound, cost: 0 }))

const idsOf = (page: { records: { id: string }[] }) => page.records.map(({ id }) => id)

describe('every access path', () => {
  test('returns the same records as a scan, page after page', () =>
    fc.assert(
      fc.asyncProperty(request, async ({ filters: asked, sorts, limit, offset }) => {
        const filters = filtersOfSearch({ filters: asked }, model, LOCALE)
        const sort = sortOfAll(model, sorts)
        const isByTime = sort.field === 'created_at' || sort.field === 'updated_at'
        const scanned = async (position: Page['next'], skip: number) => {
          const page = await scanPage(db, model, {
            filters,
            sort,
            position,
            limit,
            offset: skip,
            count: true,
          })
          return page
        }
        const first = await scanned(undefined, offset)
        const pages: { page: Page; position: Page['next']; skip: number }[] = [
          { page: first, position: undefined, skip: offset },
        ]
        if (first.next) pages.push({ page: await scanned(first.next, 0), position: first.next, skip: 0 })
        const prepared = prepare(model, filters)
        for (const { page, position, skip } of pages) {
          const query = preparePage(model, {
            filters,
            sort,
            position,
            limit,
            offset: skip,
            count: true,
          }).request
          const source = rowSource(db, model)
          if (isByTime) {
            const path = { path: 'head_scan', bound: HEAD_RECORDS, cost: 0 } as const
            const head = idsOf(await readPath(source, { request: query, prepared }, path)).slice(0, limit)
            expect(head, JSON.stringify({ asked, sorts })).toEqual(idsOf(page).slice(0, head.length))
          }
          for (const path of query.order === 'first_key' && filters.length > 0 ? boundedPaths : []) {
            const found = idsOf(await readPath(source, { request: query, prepared }, path)).slice(0, limit)
            expect(found, JSON.stringify({ path, asked, sorts })).toEqual(idsOf(page).slice(0, found.length))
          }
          for (const path of everyPath(filters.length, sort.field === 'created_at', prepared)) {
            const found = await readPath(source, { request: query, prepared }, path)
            expect(idsOf(found).slice(0, limit), JSON.stringify({ path, asked, sorts })).toEqual(idsOf(page))
            expect(found.records.length > limit, JSON.stringify(path)).toBe(page.next !== undefined)
          }
        }
      }),
      { numRuns: cases(80) },
    ))

  test('counts as many records as a scan', () =>
    fc.assert(
      fc.asyncProperty(request, async ({ filters: asked }) => {
        const filters = filtersOfSearch({ filters: asked }, model, LOCALE)
        const prepared = prepare(model, filters)
        const count = async (query: Parameters<typeof countQuery>[2]) =>
          (await db.one<{ count: number }>(countQuery(model, prepared, query))).count
        const expected = await count({ by: 'scan' })
        for (const [filter, { indexCondition }] of prepared.entries())
          if (indexCondition) expect(await count({ by: 'records', filter })).toBe(expected)
        if (!prepared.every(({ indexCondition, proof }) => indexCondition?.isExact || proof)) return
        // With exact counts, ids are looked up in hash tables. Otherwise PostgreSQL intersects them.
        for (const isExact of [true, false]) {
          const estimates = prepared.map(({ indexCondition }, place) => ({
            found: 100 + place,
            isExact,
            indexMatch: indexCondition ? ('exact' as const) : ('none' as const),
            isOrdered: false,
          }))
          expect(await count(countPlan({ records: 300, filters: estimates }))).toBe(expected)
        }
      }),
      { numRuns: cases(60) },
    ))
})

test.each<Filter>([
  { attributeSlug: 'a_email', operator: 'notContains', value: 'x.org' },
  { attributeSlug: 'a_text', operator: 'notContains', value: 'a' },
  { attributeSlug: 'a_email', operator: 'notEquals', value: 'ann@x.org' },
])('counts $operator $value as all records minus the matches of the opposite filter', async (filter) => {
  const filters = filtersOfSearch({ filters: [filter] }, model, LOCALE)
  const prepared = prepare(model, filters)
  const statistics = await readStatistics(rowSource(db, model), model, prepared)
  const by = countPlan({ records: statistics.records, filters: statistics.estimates })
  expect(by).toEqual({ by: 'complement' })
  const counted = await db.one<{ count: number }>(countQuery(model, prepared, by))
  const scanned = await db.one<{ count: number }>(countQuery(model, prepared, { by: 'scan' }))
  expect(counted).toEqual(scanned)
  expect(counted.count).toBeGreaterThan(0)
})

describe('fetch_and_sort with a bound', () => {
  const STEP = 40
  let ids: string[]

  beforeAll(async () => {
    const { org, obj } = model
    const rows = await db.many<{ id: string }>(
      sql`select id from records where org = ${org} and obj = ${obj} order by id`,
    )
    ids = rows.map(({ id }) => id)
    const lows = ids.filter((_, place) => place % STEP === 0)
    await db.run(sql`delete from stat_ids where org = ${org} and obj = ${obj}`)
    await db.run(sql`
      insert into stat_ids (org, obj, low, n) select ${org}::int, ${obj}::int, low, ${STEP}::int
      from unnest(${lows}::uuid[]) as low`)
  })

  const asked = fc.record({
    filter: fc.constantFrom<Filter>(
      { attributeSlug: 'a_text', operator: 'startsWith', value: 'a' },
      { attributeSlug: 'a_number', operator: 'greaterThan', value: '0' },
      { attributeSlug: 'a_text', operator: 'isNotEmpty', value: 'true' },
    ),
    order: fc.constantFrom<'asc' | 'desc'>('asc', 'desc'),
    bound: fc.integer({ min: 1, max: RECORDS }),
    behind: fc.option(fc.nat({ max: RECORDS - 1 }), { nil: undefined }),
  })

  test('returns the beginning of the page, with all matches among the first records', () =>
    fc.assert(
      fc.asyncProperty(asked, async ({ filter, order, bound, behind }) => {
        const filters = filtersOfSearch({ filters: [filter] }, model, LOCALE)
        const sort = sortOf(model, { field: 'created_at', order, path: 'sort' })
        const inOrder = order === 'asc' ? ids : ids.toReversed()
        const [left, last] = [
          behind === undefined ? inOrder : inOrder.slice(behind + 1),
          inOrder[behind ?? -1],
        ]
        const position = last === undefined ? undefined : { key: null, id: last }
        const query = { filters, sort, position, limit: RECORDS, offset: 0, count: false }
        const path = { path: 'fetch_and_sort', filter: 0, bound, cost: 0 } as const
        const asking = { request: preparePage(model, query).request, prepared: prepare(model, filters) }
        const found = await readPath(rowSource(db, model), asking, path)
        const whole = await scanPage(db, model, query)
        const first = new Set(left.slice(0, bound))
        const expected = idsOf(whole)
        expect(idsOf(found)).toEqual(expected.slice(0, found.records.length))
        expect(found.records.length).toBeGreaterThanOrEqual(expected.filter((id) => first.has(id)).length)
        if (bound + 2 * STEP < left.length) expect(idsOf(found)).not.toContain(left.at(-1))
      }),
      { numRuns: cases(100) },
    ))
})

test('counts only texts in the same case, also when two filters are intersected', async () => {
  const other = await service.org()
  await buildEveryType(other, (object) =>
    indexEmptyObject(db, object, { texts: 'values', keepsMissing: false }),
  )
  const texts = ['Won', 'WON', 'won', 'Lost']
  const records = Array.from({ length: 40 }, (_, i) => ({ data: { a_text: texts[i % 4], a_number: i % 10 } }))
  await other.post('/objects/things/records/bulk', { records })
  const total = async (value: string) => {
    const filters = [
      { attributeSlug: 'a_text', operator: 'equals', value },
      { attributeSlug: 'a_number', operator: 'lessThan', value: '8' },
    ]
    const { body } = await other.post<{ pagination: { total: number } }>('/objects/things/records/search', {
      filters,
    })
    return body.pagination.total
  }
  const expected = (text: string) =>
    records.filter(({ data }) => data.a_text === text && data.a_number < 8).length
  for (const text of texts) expect(await total(text), text).toBe(expected(text))
  expect(await total('lost')).toBe(0)
})

test('counts any of several texts by their keys, without texts in another case', async () => {
  const things = await buildThings(service, {
    as: { texts: 'values', keepsMissing: false },
    records: 20,
  })
  const texts = ['Won', 'WON', 'won', 'Lost']
  const records = Array.from({ length: 40 }, (_, i) => ({ data: { a_text: texts[i % 4], a_select: 'Lead' } }))
  await things.org.post('/objects/things/records/bulk', { records })
  const select = { attributeSlug: 'a_select', operator: 'equals', value: 'Won' }
  for (const values of [['Won', 'Lost'], ['WON'], ['lost', 'won'], ['absent']]) {
    const or = [select, ...values.map((value) => ({ attributeSlug: 'a_text', operator: 'equals', value }))]
    const prepared = prepare(things.model, filtersOfSearch({ filter: { or } }, things.model, LOCALE))
    expect(prepared[0]?.indexCondition?.exactIds).toBeDefined()
    const count = (by: 'exact_ids' | 'scan') =>
      db.one<{ count: number }>(countQuery(things.model, prepared, { by }))
    expect(await count('exact_ids'), String(values)).toEqual(await count('scan'))
  }
})

test('sorts records with the same first sort value by the second attribute, page after page', async () => {
  const other = await service.org()
  await buildEveryType(other, (object) =>
    indexEmptyObject(db, object, { texts: 'values', keepsMissing: true }),
  )
  // The order of the second attribute differs from the order of creation.
  const rows = Array.from({ length: 40 }, (_, i) => ({ a_number: i % 4, a_text: `t${(i * 7) % 40}` }))
  await other.post('/objects/things/records/bulk', { records: rows.map((data) => ({ data })) })
  const sort = [
    { field: 'a_number', order: 'desc' },
    { field: 'a_text', order: 'asc' },
  ]
  const found: string[] = []
  let cursor: string | undefined
  do {
    const { body } = await other.post<{
      records: { data: (typeof rows)[number] }[]
      pagination: { nextCursor?: string }
    }>('/objects/things/records/search', { sort, limit: 7, ...(cursor && { cursor }) })
    found.push(...body.records.map(({ data }) => data.a_text))
    cursor = body.pagination.nextCursor
  } while (cursor)
  const expected = rows.toSorted((a, b) => b.a_number - a.a_number || (a.a_text < b.a_text ? -1 : 1))
  // The object's first five records have no values and come last.
  expect(found.slice(0, rows.length)).toEqual(expected.map(({ a_text }) => a_text))
})
