import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { SORTABLE } from '../../../contract/attribute-types.ts'
import type { RecordList } from '../../../contract/records.ts'
import { everyOther } from '../../test/dose.ts'
import { expectError, type Org } from '../../test/factories.ts'
import { sharedTestService } from '../../test/shared-service.ts'
import { type IndexedAs, indexEmptyObject } from '../engine/indexed.fixture.ts'
import { buildEveryType, dataOf, TEST_ATTRIBUTES } from '../every-type.fixture.ts'

const service = await sharedTestService()
let org: Org
let ids: string[]

const STORES: { name: string; as?: IndexedAs }[] = [
  { name: 'scanned' },
  { name: 'indexed', as: { texts: 'presence', keepsMissing: false } },
  { name: 'indexed with what is missing', as: { texts: 'values', keepsMissing: true } },
]

const indexed = (as: IndexedAs | undefined) => async (id: string) => {
  if (as) await indexEmptyObject(service.ctx.db, id, as)
}

async function fill(as?: IndexedAs): Promise<void> {
  org = await service.org()
  const named = await buildEveryType(org, indexed(as))
  const rows = fc.sample(dataOf(named), 95)
  const made = await org.post<{ results: { id: string }[] }>('/objects/things/records/bulk', {
    records: rows.map((data) => ({ data })),
  })
  ids = [...named.targets, ...made.body.results.map(({ id }) => id)]
}

const search = (body: Record<string, unknown>) => org.post<RecordList>('/objects/things/records/search', body)

async function pages(
  body: Record<string, unknown>,
  between?: (page: number) => Promise<unknown>,
): Promise<RecordList['records']> {
  const records: RecordList['records'] = []
  let cursor: string | undefined
  for (let page = 0; ; page++) {
    const reply = await search({ ...body, ...(cursor && { cursor }) })
    expect(reply.status, JSON.stringify(reply.body)).toBe(200)
    records.push(...reply.body.records)
    cursor = reply.body.pagination.nextCursor
    if (!cursor) return records
    await between?.(page)
  }
}

const sortable = TEST_ATTRIBUTES.filter(({ type, isList }) => !isList && SORTABLE.has(type)).map(
  ({ slug }) => slug,
)
const PARTS = ['a_address.city', 'a_name.lastName', 'a_currency.currency']
const sorts = ['created_at', 'updated_at', ...sortable, ...PARTS].flatMap((field) => [
  { field, order: 'asc' },
  { field, order: 'desc' },
])

/** Texts are sorted by their first 200 characters, without regard to case. */
const sortedPart = (text: string) => [...text.toLowerCase()].slice(0, 200).join('')

const sortKey = (value: unknown): string | number | undefined => {
  if (value === undefined || typeof value === 'number') return value
  if (typeof value !== 'object' || value === null) return sortedPart(String(value))
  if ('amount' in value) return Number(value.amount)
  const { firstName, lastName } = value as { firstName?: string; lastName?: string }
  return sortedPart([firstName, lastName].filter((part) => part !== undefined).join(' '))
}

const valueAt = (data: Record<string, unknown>, path: string): unknown => {
  const [slug = '', part] = path.split('.')
  return part === undefined ? data[slug] : (data[slug] as Record<string, unknown> | undefined)?.[part]
}

interface Sorted {
  field: string
  order?: 'asc' | 'desc'
}

const SEVERAL: { sort: Sorted[] }[] = [
  { sort: [{ field: 'a_select', order: 'asc' }, { field: 'a_number' }] },
  {
    sort: [
      { field: 'a_currency.currency' },
      { field: 'a_currency', order: 'asc' },
      { field: 'a_name.lastName', order: 'desc' },
    ],
  },
  {
    sort: [{ field: 'a_date' }, { field: 'created_at', order: 'asc' }, { field: 'a_text', order: 'asc' }],
  },
  { sort: [{ field: 'created_at', order: 'asc' }, { field: 'a_text' }] },
  { sort: [{ field: 'a_email', order: 'asc' }, { field: 'a_number', order: 'asc' }, { field: 'a_text' }] },
]

/** Sorts that are tested while records are created and deleted. */
const LIVE_SORTS: (Sorted | Sorted[])[] = [
  [
    { field: 'a_number', order: 'asc' },
    { field: 'a_text', order: 'desc' },
  ],
  { field: 'a_number', order: 'asc' },
  { field: 'a_text', order: 'desc' },
  { field: 'created_at', order: 'desc' },
]

type Listed = RecordList['records'][number]

function compareKeys(a: unknown, b: unknown, order: string | undefined): number {
  const sign = order === 'asc' ? 1 : -1
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined)
  if (typeof a === 'number' && typeof b === 'number') return sign * (a - b)
  return sign * Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)))
}

function compareBy(sort: readonly Sorted[], a: Listed, b: Listed): number {
  for (const { field, order } of sort) {
    if (field === 'created_at') return compareKeys(a.id, b.id, order)
    const keyOf = (one: Listed) => sortKey(valueAt(one.data, field))
    const compared = compareKeys(keyOf(a), keyOf(b), order)
    if (compared !== 0) return compared
  }
  return compareKeys(a.id, b.id, sort[0]?.order)
}

describe.each(STORES)('pages: $name', (store) => {
  const { as } = store
  const turn = STORES.indexOf(store)
  beforeAll(() => fill(as))

  test.each(as ? everyOther(sorts, turn) : sorts)(
    'sorted by $field $order contain each record once, in order',
    async (sort) => {
      const records = await pages({ sort, limit: 17 })
      expect(records.map(({ id }) => id).sort()).toEqual(ids.toSorted())
      const whole = await search({ sort, limit: 100 })
      expect(records).toEqual(whole.body.records)
      const offsets = await Promise.all([0, 40, 80].map((offset) => search({ sort, limit: 40, offset })))
      expect(offsets.flatMap(({ body }) => body.records)).toEqual(whole.body.records)
      if (!sort.field.startsWith('a_') || ['a_phone_number', 'a_domain'].includes(sort.field)) return
      const keys = records.map(({ data }) => sortKey(valueAt(data, sort.field)))
      const filled = keys.filter((key) => key !== undefined)
      expect(keys.slice(filled.length).every((key) => key === undefined)).toBe(true)
      const bytes = (text: string) => Buffer.from(text)
      const compare = (a: string | number, b: string | number) =>
        typeof a === 'number' && typeof b === 'number'
          ? a - b
          : Buffer.compare(bytes(String(a)), bytes(String(b)))
      expect(filled).toEqual(
        filled.toSorted((a, b) => (sort.order === 'asc' ? compare(a, b) : compare(b, a))),
      )
    },
  )

  test.each(SEVERAL)(
    'sorted by several attributes sort ties by the next attribute, $sort',
    async ({ sort }) => {
      const records = await pages({ sort, limit: 17 })
      expect(records.map(({ id }) => id).sort()).toEqual(ids.toSorted())
      expect(records.map(({ id }) => id)).toEqual(
        records.toSorted((a, b) => compareBy(sort, a, b)).map(({ id }) => id),
      )
      const filtered = { sort, filters: [{ attributeSlug: 'a_number', operator: 'greaterThan', value: 0 }] }
      const matching = await pages({ ...filtered, limit: 9 })
      expect(matching).toEqual(records.filter(({ data }) => Number(data['a_number'] ?? 0) > 0))
      const quick = await search({ ...filtered, isQuick: true, limit: 100 })
      expect(quick.body.records).toEqual(matching)
      const named = await org.post<{ ids: string[] }>('/objects/things/records/ids', { sort })
      expect(named.body.ids).toEqual(records.map(({ id }) => id))
    },
  )

  test('contain each remaining record exactly once while others are created and deleted', async () => {
    const other = await service.org()
    await buildEveryType(other, indexed(as))
    const make = async (n: number) =>
      (
        await other.post<{ results: { id: string }[] }>('/objects/things/records/bulk', {
          records: Array.from({ length: n }, (_, i) => ({
            data: { a_number: i % 3, a_text: i % 2 ? `t${i % 4}` : null },
          })),
        })
      ).body.results.map(({ id }) => id)
    const staying = await make(60)
    for (const sort of everyOther(LIVE_SORTS, turn)) {
      const doomed = await make(20)
      const seen: string[] = []
      let cursor: string | undefined
      do {
        const { body } = await other.post<RecordList>('/objects/things/records/search', {
          sort,
          limit: 9,
          ...(cursor && { cursor }),
        })
        seen.push(...body.records.map(({ id }) => id))
        cursor = body.pagination.nextCursor
        const deleted = doomed.splice(0, 4)
        if (deleted.length > 0) await other.delete('/objects/things/records/bulk', { ids: deleted })
        if (cursor && seen.length < 60) await make(1)
      } while (cursor)
      expect(new Set(seen).size).toBe(seen.length)
      expect(staying.filter((id) => !seen.includes(id))).toEqual([])
    }
  })

  test('count=false leaves out only the total', async () => {
    const { body } = await org.get<RecordList>('/objects/things/records?count=false&limit=2')
    expect(body.pagination).toEqual({ limit: 2, offset: 0, nextCursor: expect.any(String) })
    const counted = await org.get<RecordList>('/objects/things/records?limit=2')
    expect(counted.body).toEqual({ ...body, pagination: { ...body.pagination, total: ids.length } })
  })

  test('the last page has no cursor, and an offset past the end returns an empty page', async () => {
    expect((await search({ limit: 100 })).body.pagination).toEqual({ total: 100, limit: 100, offset: 0 })
    expect((await search({ offset: 1000 })).body).toEqual({
      records: [],
      pagination: { total: 100, limit: 50, offset: 1000 },
    })
  })

  test.each([
    ['sort=a_select,-a_number', [{ field: 'a_select', order: 'asc' }, { field: 'a_number' }]],
    ['sort=-a_name.lastName', [{ field: 'a_name.lastName' }]],
    ['sort=a_number', [{ field: 'a_number', order: 'asc' }]],
    ['sort=a_number,-a_text&order=desc', [{ field: 'a_number' }, { field: 'a_text' }]],
    ['sort=updated_at', [{ field: 'updated_at', order: 'desc' }]],
    ['order=asc', [{ field: 'created_at', order: 'asc' }]],
  ])('lists with %s are sorted like searches', async (query, sort) => {
    const list = (rest: string) => org.get<RecordList>(`/objects/things/records?${query}&limit=60${rest}`)
    const { body } = await list('')
    const { body: next } = await list(`&cursor=${body.pagination.nextCursor}`)
    expect([...body.records, ...next.records]).toEqual(await pages({ sort, limit: 100 }))
  })

  test.each(['a_list', 'nope', 'a_text,', 'a_text,-a_text', 'a_text,a_number,a_date,a_email'])(
    'lists with sort=%s are rejected',
    async (sort) => {
      const reply = await org.get(`/objects/things/records?sort=${sort}`)
      expectError(reply, 'invalid_parameter')
      expect(reply.body).toMatchObject({ details: { errors: [{ path: 'sort', code: 'invalid_sort' }] } })
    },
  )

  test('a cursor of another list is rejected', async () => {
    const { body } = await search({ limit: 5, sort: { field: 'a_number', order: 'asc' } })
    const cursor = body.pagination.nextCursor
    expectError(await search({ cursor, sort: { field: 'a_number', order: 'desc' } }), 'validation_error')
    expectError(
      await search({
        cursor,
        sort: { field: 'a_number', order: 'asc' },
        filters: [{ attributeSlug: 'a_text', operator: 'isEmpty', value: 'true' }],
      }),
      'validation_error',
    )
    expectError(await search({ cursor: 'bm9uc2Vuc2U' }), 'validation_error')
    expectError(
      await search({ cursor, offset: 5, sort: { field: 'a_number', order: 'asc' } }),
      'validation_error',
    )
  })

  test.each(['0e2000000000', '1e9', '.5', '', '9'.repeat(40)])(
    'a cursor with the invalid number %s is rejected',
    async (key) => {
      const sort = { field: 'a_number', order: 'asc' }
      const { body } = await search({ limit: 5, sort })
      const sent = Buffer.from(body.pagination.nextCursor ?? '', 'base64url').toString()
      const [seal, , id] = JSON.parse(sent) as unknown[]
      const cursor = Buffer.from(JSON.stringify([seal, key, id])).toString('base64url')
      expectError(await search({ sort, cursor }), 'validation_error')
    },
  )

  test.each([
    { sort: [], path: 'sort' },
    { sort: Array(4).fill({ field: 'a_text' }), path: 'sort' },
    { sort: [{ field: 'a_text' }, { field: 'a_list' }], path: 'sort[1].field' },
    {
      sort: [{ field: 'a_text' }, { field: 'a_number' }, { field: 'a_text', order: 'asc' }],
      path: 'sort[2].field',
    },
  ])('an invalid list of sorts is rejected: $sort', async ({ sort, path }) => {
    const reply = await search({ sort })
    expectError(reply, 'validation_error')
    expect(reply.body).toMatchObject({ details: { errors: [{ path }] } })
  })

  test.each(['["1"]', '["x","a"]', '["1","a",null]', '{}', 'x'])(
    'a cursor with the invalid keys %s is rejected',
    async (key) => {
      const sort = [{ field: 'a_number' }, { field: 'a_text' }]
      const { body } = await search({ limit: 5, sort })
      const sent = Buffer.from(body.pagination.nextCursor ?? '', 'base64url').toString()
      const [seal, , id] = JSON.parse(sent) as unknown[]
      const cursor = Buffer.from(JSON.stringify([seal, key, id])).toString('base64url')
      expectError(await search({ sort, cursor }), 'validation_error')
    },
  )

  test.each([
    'a_address',
    'a_address.town',
    'many_name.lastName',
    'a_text.x',
    'a_list',
    'a_reference',
    'a_member',
    'many_text',
    'nope',
    '',
  ])('sorting by %j is rejected', async (field) => {
    expectError(await search({ sort: { field } }), 'validation_error')
  })
})
