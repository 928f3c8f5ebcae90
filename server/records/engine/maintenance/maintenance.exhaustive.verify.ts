// Building, folding and clearing of an index, one case per test.
import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { purgeDeletedAttributes } from '../../../model/attributes/jobs.ts'
import { purgeDeletedObjects } from '../../../model/objects/jobs.ts'
import { buildTestService } from '../../../test/build-app.ts'
import { audit, countRows } from './audit.fixture.ts'
import { beginIndex } from './begin.ts'
import { createDiscovery } from './build.ts'
import { waitUntilIndexed } from './finish.ts'
import { foldObject, tidyCounters } from './fold.ts'
import { createFolding } from './folding.ts'
import { createLargeObjectScan } from './large-objects.ts'
import { advanceIndex } from './steps.ts'
import { dropIndex, type ObjectKey } from './work-store.ts'

const service = await buildTestService({ indexFrom: 5 })
const { ctx } = service
const { db } = ctx
const running = () => new AbortController().signal
const context = { db, queue: db, signal: running() }

const ATTRIBUTES = [
  { name: 'City', type: 'text' },
  { name: 'Note', type: 'text' },
  { name: 'Size', type: 'number' },
  { name: 'Code', type: 'text', isUnique: true },
]

async function buildPlaces(records = 0) {
  const org = await service.org()
  const { body } = await org.post<{ id: string }>('/objects', {
    pluralName: 'Places',
    singularName: 'Place',
  })
  for (const attribute of ATTRIBUTES) await org.post('/objects/places/attributes', attribute)
  const object = await db.one<ObjectKey>(
    sql`select org, obj from objects where org = ${org.org} and id = ${body.id}`,
  )
  if (records > 0) await insert(object, records)
  return { org, object, path: '/objects/places' }
}

/** Inserts records with plain SQL, without index rows. */
const insert = ({ org, obj }: ObjectKey, records: number) =>
  db.run(sql`
    insert into records (org, obj, id, updated_at, data)
    select ${org}::int, ${obj}::int, uuidv7(), now(), jsonb_build_object(
      'city', 'City ' || i % 7, 'note', 'note of ' || i, 'size', case when i % 3 = 0 then 0 else i end, 'code', 'c' || i)
    from generate_series(1, ${records}::int) i`)

const stateOf = ({ org, obj }: ObjectKey) =>
  db.one<{ state: string; seen: number; isBusy: boolean }>(sql`
    select index_state as state, index_seen as seen, index_since is not null as "isBusy"
    from objects where org = ${org} and obj = ${obj}`)

const attributesOf = async ({ org, obj }: ObjectKey) => {
  const rows = await db.many<{ slug: string; kept: string }>(sql`
    select slug, concat_ws(' ', index_state, search_state, counting, is_counted, keeps_missing) as kept
    from attributes where org = ${org} and obj = ${obj} order by attr`)
  return Object.fromEntries(rows.map(({ slug, kept }) => [slug, kept]))
}

const NO_ROWS = {
  text: 0,
  number: 0,
  missing: 0,
  search: 0,
  texts: 0,
  numbers: 0,
  seconds: 0,
  steps: 0,
  changes: 0,
}

describe('an index', () => {
  test('is not begun during a bulk load, and is begun after it without another write', async () => {
    const { object } = await buildPlaces(2000)
    const seek = createDiscovery(ctx, db)
    await seek()
    expect(await stateOf(object)).toMatchObject({ state: 'none' })
    await db.run(sql`
      update records set updated_at = updated_at - interval '1 minute' where org = ${object.org} and obj = ${object.obj}`)
    await seek()
    expect(await stateOf(object)).toMatchObject({ state: 'building' })
  })

  test('is begun for an object that has become large, with the rows and counters that its values need', async () => {
    const { object, org, path } = await buildPlaces(4)
    const seek = async () =>
      (await createLargeObjectScan(db, ctx.config.indexFrom).next()).filter(({ obj }) => obj === object.obj)
    expect(await seek()).toEqual([])
    await insert(object, 300)
    expect(await seek()).toEqual([object])
    await waitUntilIndexed(ctx, object)
    expect(await seek()).toEqual([])
    expect(await stateOf(object)).toEqual({ state: 'ready', seen: 0, isBusy: false })
    expect(await attributesOf(object)).toEqual({
      city: 'ready none values t t',
      note: 'ready ready presence t t',
      size: 'ready none ranges t t',
      code: 'ready ready presence t t',
    })
    expect(await audit(db, object)).toEqual([])
    await org.post(`${path}/attributes`, { name: 'Later', type: 'number' })
    expect(await attributesOf(object)).toMatchObject({ later: 'ready none ranges t f' })
    await org.post(`${path}/records`, { data: { later: 3 } })
    await waitUntilIndexed(ctx, object)
    expect(await audit(db, object)).toEqual([])
    expect(await countRows(db, object)).toMatchObject({ changes: 0 })
  })

  test('is filled in only after all transactions from before it have ended', async () => {
    const { object } = await buildPlaces(10)
    await db.transaction(async (older) => {
      await older.run(sql`select 1`)
      expect(await beginIndex(db, object)).toBe(true)
      expect(await advanceIndex(context, object, 100)).toBe('more')
      expect(await advanceIndex(context, object, 100)).toBe('waiting')
      await older.run(sql`
        insert into records (org, obj, id, updated_at, data)
        values (${object.org}, ${object.obj}, uuidv7(), now(), '{"city": "late"}')`)
    })
    await waitUntilIndexed(ctx, object)
    expect(await audit(db, object)).toEqual([])
  })

  test('continues from its position after an interruption, with several concurrent workers', async () => {
    const { object } = await buildPlaces(30)
    await beginIndex(db, object)
    await advanceIndex(context, object, 7)
    await advanceIndex(context, object, 7)
    expect(await stateOf(object)).toEqual({ state: 'building', seen: 7, isBusy: true })
    const broken = new Error('broken')
    const breaking = { ...db, transaction: () => Promise.reject(broken) }
    await expect(advanceIndex({ ...context, queue: breaking }, object, 7)).rejects.toBe(broken)
    expect(await audit(db, object)).toEqual([])
    await Promise.all([1, 2, 3].map(() => waitUntilIndexed(ctx, object)))
    expect(await stateOf(object)).toMatchObject({ state: 'ready' })
    expect(await audit(db, object)).toEqual([])
  })

  test('is cleared and built again after a drop, for the values that exist then', async () => {
    const { object } = await buildPlaces(150)
    await waitUntilIndexed(ctx, object)
    await db.run(sql`
      update records set data = data || '{"note": "same"}' where org = ${object.org} and obj = ${object.obj}`)
    await dropIndex(db, object)
    await advanceIndex(context, object, 100)
    expect(await beginIndex(db, object)).toBe(false)
    while ((await advanceIndex(context, object, 100)) === 'more');
    expect(await countRows(db, object)).toEqual(NO_ROWS)
    expect(await stateOf(object)).toEqual({ state: 'none', seen: 0, isBusy: false })
    await waitUntilIndexed(ctx, object)
    expect(await attributesOf(object)).toMatchObject({ note: 'ready none values t t' })
    expect(await audit(db, object)).toEqual([])
  })

  test('is deleted with its attributes and its object', async () => {
    const { object, org, path } = await buildPlaces(20)
    await waitUntilIndexed(ctx, object)
    const { body } = await org.get<{ attributes: { id: string; slug: string }[] }>(`${path}/attributes`)
    const size = body.attributes.find(({ slug }) => slug === 'size')
    expect((await org.delete(`${path}/attributes/${size?.id}`)).status).toBe(200)
    await purgeDeletedAttributes(ctx, running())
    expect(await countRows(db, object)).toMatchObject({ number: 0, numbers: 0 })
    await waitUntilIndexed(ctx, object)
    expect(await audit(db, object)).toEqual([])
    const leftovers = () =>
      db.one(sql`
        select (select count(*) from index_text where org = ${object.org}) as text,
               (select count(*) from index_search where org = ${object.org}) as search,
               (select count(*) from stat_text where org = ${object.org}) as texts,
               (select count(*) from stat_number where org = ${object.org}) as numbers,
               (select count(*) from stat_ids where org = ${object.org}) as steps,
               (select count(*) from stat_changes where org = ${object.org}) as changes`)
    expect(await leftovers()).not.toMatchObject({ text: 0 })
    await org.delete(path)
    await purgeDeletedObjects(ctx, running())
    expect(await leftovers()).toEqual({ text: 0, search: 0, texts: 0, numbers: 0, steps: 0, changes: 0 })
  })
})

describe('counters', () => {
  test('of many records are divided into buckets, which are split when they grow', async () => {
    const { object, org, path } = await buildPlaces(2500)
    await waitUntilIndexed(ctx, object)
    expect(await audit(db, object)).toEqual([])
    const before = await countRows(db, object)
    expect(before).toMatchObject({ steps: 2 })
    const batch = (first: number) =>
      org.post(`${path}/records/bulk`, {
        records: Array.from({ length: 100 }, (_, at) => ({
          data: {
            size: at % 4 ? ((first + at) % 5600) / 100_000 : 0,
            code: `d${first + at}`,
            city: `City ${at % 3}`,
          },
        })),
      })
    for (let first = 0; first < 5600; first += 100) expect((await batch(first)).status).toBe(200)
    expect(await audit(db, object)).toEqual([])
    while ((await foldObject(db, object)).hasMore);
    expect(await audit(db, object)).toEqual([])
    // A split also handles changes that are not folded yet, here in the lower part.
    await batch(5600)
    await tidyCounters(db, object)
    expect(await audit(db, object)).toEqual([])
    await waitUntilIndexed(ctx, object)
    expect(await audit(db, object)).toEqual([])
    const after = await countRows(db, object)
    expect(after['steps']).toBeGreaterThan(2)
    expect(after['numbers']).toBe((before['numbers'] ?? 0) + 2)
  })

  test('of change times get ranges for new changes, and merge old ranges with few records', async () => {
    const { object, org, path } = await buildPlaces(6000)
    await db.run(sql`
      update records set updated_at = now() - interval '1 day' + (substr(data->>'code', 2))::int * interval '1 second'
      where org = ${object.org} and obj = ${object.obj}`)
    await waitUntilIndexed(ctx, object)
    expect(await audit(db, object)).toEqual([])
    const ranges = async () => (await countRows(db, object))['seconds'] ?? 0
    expect(await ranges()).toBeGreaterThanOrEqual(3)
    expect(await ranges()).toBeLessThanOrEqual(6)
    const ids = (
      await db.many<{ id: string }>(sql`
        select id from records where org = ${object.org} and obj = ${object.obj} and data->>'code' !~ '[05]$'`)
    ).map(({ id }) => id)
    for (let from = 0; from < ids.length; from += 100) {
      const records = ids.slice(from, from + 100).map((id) => ({ id, data: { size: from } }))
      expect((await org.post(`${path}/records/bulk`, { mode: 'upsert', records })).status).toBe(200)
    }
    expect(await audit(db, object)).toEqual([])
    while ((await foldObject(db, object)).hasMore);
    expect(await audit(db, object)).toEqual([])
    await waitUntilIndexed(ctx, object)
    expect(await audit(db, object)).toEqual([])
    const { old, present } = await db.one<{ old: number; present: number }>(sql`
      select count(*) filter (where low < extract(epoch from now() - interval '1 hour')) as old,
             count(*) filter (where low > extract(epoch from now() - interval '1 hour')) as present
      from stat_number where org = ${object.org} and obj = ${object.obj} and attr = -1`)
    expect(old).toBeLessThanOrEqual(2)
    expect(present).toBeGreaterThanOrEqual(1)
  })

  test('are split after few statements with many records', async () => {
    const { object, org, path } = await buildPlaces(10)
    await waitUntilIndexed(ctx, object)
    const fold = createFolding(db)
    expect((await org.post(`${path}/records`, { data: { size: 1 } })).status).toBe(201)
    while (await fold(running()));
    for (let first = 0; first < 5000; first += 100) {
      const records = Array.from({ length: 100 }, (_, at) => ({
        data: { size: first + at, code: `f${first + at}` },
      }))
      expect((await org.post(`${path}/records/bulk`, { records })).status).toBe(200)
    }
    while (await fold(running()));
    expect((await countRows(db, object))['steps']).toBeGreaterThan(1)
    expect(await audit(db, object)).toEqual([])
  })

  test('are split even if many others cannot be split', async () => {
    const { object } = await buildPlaces(4500)
    await db.run(sql`
      update records set updated_at = now() - (substr(data->>'code', 2))::int * interval '1 second'
      where org = ${object.org} and obj = ${object.obj}`)
    await waitUntilIndexed(ctx, object)
    await db.run(sql`
      delete from stat_number where org = ${object.org} and obj = ${object.obj} and attr = -1`)
    await db.run(sql`
      insert into stat_number (org, obj, attr, low, n)
      select ${object.org}::int, ${object.obj}::int, -1, low, case low when 0 then 4500 else 9000 end
      from generate_series(-60, 0) as low`)
    const ranges = async () => (await countRows(db, object))['seconds'] ?? 0
    for (let turn = 0; turn < 30 && (await ranges()) === 61; turn++) await tidyCounters(db, object)
    expect(await ranges()).toBeGreaterThan(61)
  })

  test('of too many or too long values are dropped, and the values are searched instead', async () => {
    const { object, org, path } = await buildPlaces(10)
    await org.post(`${path}/attributes`, { name: 'Tag', type: 'text', isList: true })
    await waitUntilIndexed(ctx, object)
    expect(await attributesOf(object)).toMatchObject({
      note: 'ready none values t t',
      tag: 'ready none values t f',
    })
    await org.post(`${path}/records`, { data: { note: 'x'.repeat(20_000), tag: ['a'] } })
    const tags = (first: number) => Array.from({ length: 50 }, (_, at) => `tag ${first + at}`)
    const records = (first: number) =>
      Array.from({ length: 52 }, (_, at) => ({ data: { tag: tags(first + at * 50) } }))
    for (const first of [0, 2600])
      expect((await org.post(`${path}/records/bulk`, { records: records(first) })).status).toBe(200)
    expect(await audit(db, object)).toEqual([])
    while ((await foldObject(db, object)).hasMore) expect(await audit(db, object)).toEqual([])
    expect(await attributesOf(object)).toMatchObject({ note: 'ready building presence t t' })
    await waitUntilIndexed(ctx, object)
    expect(await attributesOf(object)).toMatchObject({
      note: 'ready ready presence t t',
      tag: 'ready ready presence t f',
    })
    expect(await audit(db, object)).toEqual([])
  })
})
