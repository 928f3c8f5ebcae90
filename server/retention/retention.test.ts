// Unused records are moved to the trash: those that have not changed, and whose related data has not changed either.
import sql, { raw } from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { lockObject } from '../model/objects/store.ts'
import { createRecord, expectError, type Org } from '../test/factories.ts'
import { sharedTestService } from '../test/shared-service.ts'
import { deleteUnused } from './jobs.ts'
import { saveDays } from './store.ts'

const service = await sharedTestService()
const { ctx } = service
const { db } = ctx

const DAY_MS = 86_400_000
/** Runs the job as if this number of days had passed. */
const runAfter = (days: number) =>
  deleteUnused(ctx, new AbortController().signal, new Date(ctx.clock.now().getTime() + days * DAY_MS))

const RETENTION = '/objects/people/retention'

const make = async (org: Org, object: string, data: Record<string, unknown>): Promise<string> =>
  (await createRecord(org, object, data)).id

const idsOf = async (org: Org, path: string) => {
  const { body } = await org.get<{ records: { id: string }[] }>(path)
  return body.records.map(({ id }) => id)
}
const people = (org: Org) => idsOf(org, '/objects/people/records')
const trashed = (org: Org) => idsOf(org, '/objects/people/trash')

/** Sets the last change of the records to this number of days ago. */
const age = (ids: readonly string[], days: number) =>
  db.run(sql`
    update records set updated_at = ${ctx.clock.now()}::timestamptz - make_interval(days => ${days})
    where id = any(${ids}::uuid[])`)

async function withOldPeople(count: number, days = 800) {
  const org = await service.org()
  const ids: string[] = []
  for (let nr = 0; nr < count; nr++) ids.push(await make(org, 'people', { name: `Ada ${nr}` }))
  await age(ids, days)
  return { org, ids }
}

/** Waits until a statement waits for a lock. */
const waiting = () =>
  expect
    .poll(() =>
      db.value<number>(sql`
        select count(*)::int as count from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`),
    )
    .toBe(1)

describe('GET and PUT /objects/:objectId/retention', () => {
  test('return the retention in days, also of standard objects, and the number of records that are due', async () => {
    const { org, ids } = await withOldPeople(3)
    await age(ids.slice(0, 1), 10)
    expect((await org.get(RETENTION)).body).toEqual({ days: null, due: null })
    expect((await org.get(`${RETENTION}?days=5`)).body).toEqual({ days: null, due: 3 })
    const put = await org.put(RETENTION, { days: 365 })
    expect([put.status, put.body]).toEqual([200, { days: 365, due: 2 }])
    expect((await org.put(RETENTION, { days: 900 })).body).toEqual({ days: 900, due: 0 })
    expect((await org.get(RETENTION)).body).toEqual({ days: 900, due: 0 })
    expect((await org.put(RETENTION, { days: null })).body).toEqual({ days: null, due: null })
    expect((await org.get('/objects/companies/retention')).body).toEqual({ days: null, due: null })
  })

  test.each([[0], [36_501], [1.5], ['a year']])('refuse %j days', async (days) => {
    const org = await service.org()
    expectError(await org.put(RETENTION, { days }), 'validation_error')
    expectError(await org.get(`${RETENTION}?days=${days}`), 'invalid_parameter')
    expect((await org.get(RETENTION)).body).toEqual({ days: null, due: null })
  })
})

describe('the job retention.delete', () => {
  test('moves due records to the trash, with events of the service, and keeps the others', async () => {
    const { org, ids } = await withOldPeople(3)
    const other = await withOldPeople(1)
    const [fresh = '', ...old] = ids
    await age([fresh], 100)
    await org.put(RETENTION, { days: 365 })
    await runAfter(0)
    expect(await people(org)).toEqual([fresh])
    expect((await trashed(org)).toSorted()).toEqual(old.toSorted())
    expect(await people(other.org)).toEqual(other.ids)
    // Does not use the feed, which waits for open transactions of other tests.
    const deleted = (await org.events()).filter(({ type }) => type === 'record.deleted')
    expect(deleted.map(({ subject }) => subject).toSorted()).toEqual(old.toSorted())
    await runAfter(266)
    expect(await people(org)).toEqual([])
  })

  test('keeps a restored record for a whole new period', async () => {
    const { org, ids } = await withOldPeople(1)
    await org.put(RETENTION, { days: 365 })
    await runAfter(0)
    expect((await org.post(`/objects/people/trash/${ids[0]}/restore`)).status).toBe(200)
    await runAfter(360)
    expect(await people(org)).toEqual(ids)
    await runAfter(370)
    expect(await trashed(org)).toEqual(ids)
  })

  test('keeps a record if a record that refers to it has changed since', async () => {
    const { org, ids } = await withOldPeople(2)
    const [kept, due] = ids
    const deals = [
      await make(org, 'deals', { name: 'Fresh', contact: kept }),
      await make(org, 'deals', { name: 'Old', contact: due }),
    ]
    await age(ids, 800)
    await age(deals.slice(1), 700)
    await org.put(RETENTION, { days: 365 })
    await runAfter(0)
    expect(await people(org)).toEqual([kept])
    expect(await trashed(org)).toEqual([due])
  })

  test('keeps a record with a later or planned activity, or an activity that changed since', async () => {
    const { org, ids } = await withOldPeople(4)
    const [linked, participant, planned, due] = ids
    const activity = async (fields: Record<string, unknown>, updatedDaysAgo: number) => {
      const { status, body } = await org.post<{ id: string }>('/activities', {
        title: 'Call',
        summary: '',
        ...fields,
      })
      expect(status).toBe(201)
      await db.run(sql`
        update activities set updated_at = ${ctx.clock.now()}::timestamptz - make_interval(days => ${updatedDaysAgo})
        where id = ${body.id}`)
    }
    const at = (days: number) => new Date(ctx.clock.now().getTime() + days * DAY_MS).toISOString()
    const links = (recordId: string | undefined) => ({ linkedRecords: [{ objectId: 'people', recordId }] })
    await activity({ ...links(linked), activityDate: at(-10) }, 10)
    await activity({ participants: [{ type: 'person', id: participant }], activityDate: at(-800) }, 10)
    await activity({ ...links(planned), activityDate: at(20), type: 'task' }, 700)
    await activity({ ...links(due), activityDate: at(-500) }, 500)
    await age(ids, 800)
    await org.put(RETENTION, { days: 365 })
    expect((await org.get(RETENTION)).body).toEqual({ days: 365, due: 1 })
    await runAfter(0)
    expect((await people(org)).toSorted()).toEqual([linked, participant, planned].toSorted())
    expect(await trashed(org)).toEqual([due])
  })

  test('finds every due record, even if most are kept', async () => {
    const org = await service.org()
    const records = Array.from({ length: 100 }, (_, nr) => ({ data: { name: `Ada ${nr}` } }))
    const ids: string[] = []
    for (let nr = 0; nr < 11; nr++) {
      const { body } = await org.post<{ results: { id: string }[] }>('/objects/people/records/bulk', {
        records,
      })
      ids.push(...body.results.map(({ id }) => id))
    }
    const due = ids.filter((_, nr) => nr % 10 === 0)
    const kept = ids.filter((_, nr) => nr % 10 !== 0)
    await db.run(sql`
      insert into links (org, attr, target, id)
      select ${org.org}, a.attr, target, deal.id from unnest(${kept}::uuid[]) as target,
        (select attr from attributes where org = ${org.org} and slug = 'contact') as a,
        (select ${await make(org, 'deals', { name: 'Fresh' })}::uuid as id) as deal`)
    await age(ids, 800)
    await org.put(RETENTION, { days: 365 })
    await runAfter(0)
    const { body } = await org.get<{ pagination: { total: number } }>('/objects/people/trash?limit=1')
    expect(body.pagination.total).toBe(due.length)
    expect((await org.get(RETENTION)).body).toEqual({ days: 365, due: 0 })
  })

  test('keeps a record that changes during the run', async () => {
    const { org, ids } = await withOldPeople(1)
    await org.put(RETENTION, { days: 365 })
    const { promise: isLocked, resolve: locked } = Promise.withResolvers<void>()
    const { promise: mayCommit, resolve: commit } = Promise.withResolvers<void>()
    const change = db.transaction(async (tx) => {
      await tx.run(sql`update records set updated_at = now() where id = ${ids[0]}::uuid`)
      locked()
      await mayCommit
    })
    await isLocked
    const run = runAfter(0)
    await waiting()
    commit()
    await Promise.all([change, run])
    expect(await people(org)).toEqual(ids)
  })

  test('keeps records of inactive or deleted objects', async () => {
    const org = await service.org()
    const objects = ['first', 'second', 'third'] as const
    for (const slug of objects) {
      await org.post('/objects', { pluralName: `${slug}s`, singularName: slug, slug })
      await org.post(`/objects/${slug}/attributes`, { name: 'Name', type: 'text' })
      await age([await make(org, slug, { name: 'Old' })], 800)
      await org.put(`/objects/${slug}/retention`, { days: 1 })
    }
    await org.patch('/objects/first', { isActive: false })
    await org.delete('/objects/second')
    await runAfter(0)
    expect(await idsOf(org, '/objects/first/records')).toHaveLength(1)
    expect(await idsOf(org, '/objects/third/records')).toEqual([])
  })

  test('keeps a record with a recent comment or file, or with a pending reminder', async () => {
    const { org, ids } = await withOldPeople(4)
    const [commented = '', filed = '', reminded = '', due] = ids
    await org.post(`/objects/people/records/${commented}/comments`, { text: 'Call her' })
    await db.run(sql`
      with file as (
        insert into files (org, id, bucket, path, key, token, state, size, content_type, expires_at, stored_at)
        values (${org.org}, gen_random_uuid(), 'attachments', ${filed}, ${filed}, ${filed}, 'stored', 1, 'text/plain', now(), now())
        returning id)
      insert into attachments (org, id, obj, record_id, file_id, name)
      select r.org, gen_random_uuid(), r.obj, r.id, file.id, 'a.txt' from file, records r
      where r.org = ${org.org} and r.id = ${filed}::uuid`)
    await db.run(sql`
      insert into reminders (org, id, user_id, subject_type, subject, obj, note, due_at)
      select r.org, gen_random_uuid(), ${org.userId}, 'record', r.id, r.obj, '', now() + interval '1 year'
      from records r where r.org = ${org.org} and r.id = ${reminded}::uuid`)
    await org.put(RETENTION, { days: 365 })
    await runAfter(0)
    expect((await people(org)).toSorted()).toEqual([commented, filed, reminded].toSorted())
    expect(await trashed(org)).toEqual([due])
  })

  test('ends if the retention changes during the run', async () => {
    const { org, ids } = await withOldPeople(2)
    await org.put(RETENTION, { days: 365 })
    const locked = Promise.withResolvers<void>()
    const mayCommit = Promise.withResolvers<void>()
    const change = db.transaction(async (tx) => {
      const object = await lockObject(tx, org.org, 'people')
      locked.resolve()
      await mayCommit.promise
      await saveDays(tx, { org: org.org, obj: object.obj }, 700)
    })
    await locked.promise
    const run = runAfter(0)
    await waiting()
    mayCommit.resolve()
    await Promise.all([change, run])
    expect((await people(org)).toSorted()).toEqual(ids.toSorted())
  })

  test('continues after a record that cannot be deleted', async () => {
    const { org, ids } = await withOldPeople(3)
    const [, stuck = ''] = ids
    await org.put(RETENTION, { days: 365 })
    await db.run(sql`
      create function refuse_one() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$`)
    await db.run(sql`
      create trigger refuse_one before delete on records for each row when (old.id = ${raw(`'${stuck}'`)})
      execute function refuse_one()`)
    await runAfter(0)
    expect(await people(org)).toEqual([stuck])
    await db.run(sql`drop trigger refuse_one on records`)
    await runAfter(0)
    expect(await people(org)).toEqual([])
  })

  test('continues with other organizations if one fails', async () => {
    const [failing, other] = [await withOldPeople(1), await withOldPeople(1)]
    for (const { org } of [failing, other]) await org.put(RETENTION, { days: 365 })
    await db.run(sql`
      create function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$`)
    await db.run(sql`
      create trigger refuse before delete on records for each row when (old.org = ${raw(String(failing.org.org))})
      execute function refuse()`)
    await runAfter(0)
    expect(await people(failing.org)).toEqual(failing.ids)
    expect(await people(other.org)).toEqual([])
    await db.run(sql`drop trigger refuse on records`)
    await runAfter(0)
    expect(await people(failing.org)).toEqual([])
  })
})
