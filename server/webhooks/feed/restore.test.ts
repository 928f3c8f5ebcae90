// A dump restored in another cluster, whose transaction ids are lower than those of the restored events.
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { newId } from '../../base/id.ts'
import { ensureEventOrder } from '../../events/clock.ts'
import { recordEvent } from '../../events/outbox.ts'
import { buildTestService } from '../../test/build-app.ts'

const service = await buildTestService()
const { db } = service.ctx
const org = await service.org()

const SOON = { interval: 20 }

const readSubjects = async (query = '') => {
  const { body } = await org.get<{ events: { recordId?: string; activityId?: string }[] }>(
    `/events?limit=100${query}`,
  )
  return body.events.map(({ recordId, activityId }) => recordId ?? activityId)
}

const author = { org: org.org, userId: null, keyId: null }

async function write(): Promise<string> {
  const subject = newId()
  await recordEvent(db, author, { type: 'record.created', subject, data: {} })
  return subject
}

/** Inserts an event as a restore does: with a transaction id of the other cluster. */
async function restore(id: string, tx: string): Promise<string> {
  const subject = newId()
  await db.run(sql`
    insert into events (org, id, type, subject, data, tx)
    values (${org.org}, ${id}, 'record.created', ${subject}, '{}', ${tx}::xid8)`)
  return subject
}

const moveToOtherCluster = () => db.run(sql`update event_clock set cluster = 1`)
const clock = () =>
  db.one<{ ahead: number; plain: boolean }>(sql`
    select ahead, prosrc = 'select pg_current_xact_id()' as plain
    from event_clock, pg_proc where proname = 'current_event_order'`)

test('ensureEventOrder does not change a database on the same cluster', async () => {
  expect(await ensureEventOrder(db)).toBe(false)
  expect(await clock()).toEqual({ ahead: 0, plain: true })
})

test('events of a restored dump keep their order, and new ones follow', async () => {
  // The event with the later id has the lower transaction id: its writer started first and wrote last.
  const [early, late] = [newId(), newId()]
  const [second, first] = [await restore(early, '5000000001'), await restore(late, '5000000000')]
  await moveToOtherCluster()
  expect(await ensureEventOrder(db)).toBe(true)
  expect(await ensureEventOrder(db)).toBe(false)
  expect(await readSubjects()).toEqual([first, second])
  const third = await write()
  await expect.poll(() => readSubjects(), SOON).toEqual([first, second, third])
  await expect.poll(() => readSubjects(`&after=${early}`), SOON).toEqual([third])
})

test('processes that start together set the offset once', async () => {
  const before = await readSubjects()
  await moveToOtherCluster()
  const done = await Promise.all([ensureEventOrder(db), ensureEventOrder(db), ensureEventOrder(db)])
  expect(done.filter(Boolean)).toHaveLength(1)
  const next = await write()
  await expect.poll(() => readSubjects(), SOON).toEqual([...before, next])
})

test('a position after the last event, from before the dump, comes before new events', async () => {
  await restore(newId(), '20000000000')
  await moveToOtherCluster()
  expect(await ensureEventOrder(db)).toBe(true)
  const next = await write()
  await expect.poll(() => readSubjects(`&after=end_20000001000_${Date.now()}`), SOON).toEqual([next])
})

test('the offset stays 0 when no event has a higher transaction id', async () => {
  await db.run(sql`delete from events where org = ${org.org}`)
  await moveToOtherCluster()
  expect(await ensureEventOrder(db)).toBe(true)
  expect(await clock()).toEqual({ ahead: 0, plain: true })
})

test('a change of a record whose last event was dropped before the dump comes before later events', async () => {
  const { body } = await org.post<{ id: string }>('/objects/companies/records', { data: { name: 'Acme' } })
  const path = `/objects/companies/records/${body.id}`
  await db.run(sql`update records set event_order = '7000000000' where org = ${org.org} and id = ${body.id}`)
  await db.run(sql`delete from events where org = ${org.org}`)
  await moveToOtherCluster()
  expect(await ensureEventOrder(db)).toBe(true)
  await org.patch(path, { data: { name: 'Acme Corp' } })
  const next = await write()
  await expect.poll(() => readSubjects(), SOON).toEqual([body.id, next])
})

test.each([
  {
    what: 'record',
    path: '/objects/companies/records',
    trash: '/objects/companies/trashed-records',
    table: sql`trash`,
    input: { data: { name: 'Acme' } },
    order: '30000000000',
  },
  {
    what: 'activity',
    path: '/activities',
    trash: '/trashed-activities',
    table: sql`trash_activities`,
    input: { title: 'Call' },
    order: '40000000000',
  },
])('a restored $what whose events were dropped before the dump comes after its deletion', async (given) => {
  const { path, trash, table, input, order } = given
  const { id } = (await org.post<{ id: string }>(path, input)).body
  await org.delete(`${path}/${id}`)
  await db.run(sql`update ${table} set event_order = ${order}::xid8 where org = ${org.org} and id = ${id}`)
  await db.run(sql`delete from events where org = ${org.org}`)
  await moveToOtherCluster()
  expect(await ensureEventOrder(db)).toBe(true)
  expect((await org.post(`${trash}/${id}/restore`)).status).toBe(200)
  await expect.poll(() => readSubjects(), SOON).toEqual([id])
})
