// Deep offsets by histograms: with folded and unfolded changes, a page is the slice of the whole sorted list.
import sql from 'sql-template-tag'
import { beforeAll, describe, expect, test } from 'vitest'
import { SORTABLE } from '../../../contract/attribute-types.ts'
import { buildTestService } from '../../test/build-app.ts'
import { everyOther } from '../../test/dose.ts'
import { TEST_ATTRIBUTES } from '../every-type.fixture.ts'
import { type CursorPosition, type Order, sortOf } from '../rows/sorting.ts'
import { changeBefore } from './change-times.fixture.ts'
import { preparePage } from './executor.ts'
import type { IndexedAs } from './indexed.fixture.ts'
import type { PageQuery } from './page-query.ts'
import { type FoundRows, rowSource } from './sql/row-source.ts'
import { buildThings, idsOf, type Things } from './things.fixture.ts'
import { readUnfiltered } from './unfiltered-page.ts'

const service = await buildTestService()
const { db } = service.ctx
const RECORDS = 180
const LIMIT = 21

const STORES: { name: string; as: IndexedAs }[] = [
  { name: 'values counted', as: { texts: 'values', keepsMissing: false } },
  { name: 'presence counted, with what is missing', as: { texts: 'presence', keepsMissing: true } },
]

const FIELDS = [
  'created_at',
  'updated_at',
  ...TEST_ATTRIBUTES.filter(({ type, isList }) => !isList && SORTABLE.has(type)).map(({ slug }) => slug),
]
const SORTS = FIELDS.flatMap((field) => (['asc', 'desc'] as const).map((order) => ({ field, order })))

/** Adds empty counters, so that the folded changes are spread over several. */
async function putBuckets({ ids, model: { org, obj } }: Things) {
  const lows = ['00000000-0000-0000-0000-000000000000', ids[70], ids[71], ids[130]]
  await db.run(sql`
    insert into stat_ids (org, obj, low, n) select ${org}::int, ${obj}::int, low, 0 from unnest(${lows}::uuid[]) as low`)
  await db.run(sql`
    insert into stat_number (org, obj, attr, low, n)
    select a.org, a.obj, a.attr, low, 0 from attributes a, unnest('{-Infinity,0,1,2,2.5,1000000}'::numeric[]) as low
    where a.org = ${org} and a.obj = ${obj} and a.counting = 'ranges'`)
  await db.run(sql`
    insert into stat_number (org, obj, attr, low, n)
    select ${org}::int, ${obj}::int, -1, low, 0 from (
      select '-Infinity'::numeric as low
      union
      select floor(extract(epoch from updated_at)) from records
      where org = ${org} and obj = ${obj} and id = any(${ids.filter((_, place) => place % 30 === 0)}::uuid[])) as lows`)
}

describe.each(STORES)('deep pages: $name', (store) => {
  const place = STORES.indexOf(store)
  let things: Things

  beforeAll(async () => {
    things = await buildThings(service, { as: store.as, records: RECORDS })
    await changeBefore(db, things.model)
    await putBuckets(things)
  })

  const askedFor = (field: string, order: Order, more: Partial<PageQuery>): PageQuery => ({
    filters: [],
    sort: sortOf(things.model, { field, order, path: 'sort' }),
    position: undefined,
    limit: LIMIT,
    offset: 0,
    count: true,
    ...more,
  })

  async function read(query: PageQuery): Promise<FoundRows> {
    const found = await readUnfiltered(
      rowSource(db, things.model),
      preparePage(things.model, query).request,
      {
        path: { path: query.offset > 0 ? 'offset_seek' : 'ordered_scan' },
        isTotalAsked: true,
        nullsDepth: { offset: 0, records: 3 },
      },
    )
    return found
  }

  /** Checks half of the sorts. The next turn checks the other half. */
  async function expectSlices(turn: number): Promise<void> {
    for (const { field, order } of everyOther(SORTS, place + turn)) {
      const whole = await things.scanned(askedFor(field, order, { limit: 1000 }))
      const all = idsOf(whole)
      for (let offset = 0; offset < all.length + LIMIT; offset += 37) {
        const found = await read(askedFor(field, order, { offset }))
        const what = JSON.stringify({ field, order, offset })
        expect(found.total, what).toBe(all.length)
        expect(idsOf(found), what).toEqual(all.slice(offset, offset + LIMIT + 1))
      }
    }
  }

  async function expectCursors(turn: number): Promise<void> {
    for (const { field, order } of everyOther(SORTS, place + turn)) {
      const all = idsOf(await things.scanned(askedFor(field, order, { limit: 1000 })))
      const seen: string[] = []
      for (let position: CursorPosition | undefined, isLast = false; !isLast; ) {
        const { records, keys } = await read(askedFor(field, order, { position }))
        const last = records[LIMIT - 1]
        seen.push(...idsOf({ records: records.slice(0, LIMIT) }))
        isLast = records.length <= LIMIT
        if (last) position = { key: keys[LIMIT - 1] ?? null, id: last.id }
      }
      expect(seen, JSON.stringify({ field, order })).toEqual(all)
    }
  }

  test('are slices of the list while nothing is folded', async () => {
    await expectSlices(0)
    await expectCursors(1)
  })

  test('are slices of the list when everything is folded', async () => {
    await things.fold()
    await expectSlices(1)
  })

  test('are slices of the list with folded changes and later, unfolded ones', async () => {
    const { org, ids } = things
    const changed = ids.filter((_, place) => place % 7 === 3)
    const patch = { a_number: 2, a_text: 'Later', a_select: 'Won', a_date: null, a_currency: null }
    for (const id of changed) await org.patch(`/objects/things/records/${id}`, { data: patch })
    await org.delete('/objects/things/records/bulk', { ids: ids.filter((_, place) => place % 11 === 5) })
    await org.post('/objects/things/records/bulk', {
      records: Array.from({ length: 20 }, (_, n) => ({
        data: { a_number: n % 4, a_text: n % 3 ? 'new' : null },
      })),
    })
    await expectSlices(0)
    await expectCursors(1)
  })
})
