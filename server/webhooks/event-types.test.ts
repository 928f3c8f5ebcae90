// Organizations that were there when there were more event types than the eight of the specification.
import { readFile } from 'node:fs/promises'
import sql, { raw } from 'sql-template-tag'
import { expect, test } from 'vitest'
import { newId } from '../id.ts'
import { buildTestService } from '../test/build-app.ts'
import type { Org } from '../test/factories.ts'
import { insertEndpoint } from './endpoint.fixture.ts'

const service = await buildTestService()
const { db } = service.ctx

/** Its last statement: those before it change the schema, and can run only once. */
async function migrate(): Promise<void> {
  const text = await readFile(new URL('../../migrations/0061-mirrors.sql', import.meta.url), 'utf8')
  await db.run(raw(text.slice(text.indexOf('do $$'))))
}

async function insertEvent(org: Org, type: string, changes: object | null): Promise<string> {
  const id = newId()
  await db.run(sql`
    insert into events (org, id, type, subject, version, data, changes)
    values (${org.org}, ${id}, ${type}, ${newId()}, 3, '{"name": "Ada"}', ${changes && JSON.stringify(changes)}::jsonb)`)
  return id
}

const addEndpoint = async (org: Org, types: readonly string[] | null) => {
  const { endpoint } = await insertEndpoint(service.ctx, org.org)
  await db.run(sql`
    update webhook_endpoints set event_types = ${types}::text[] where org = ${org.org} and id = ${endpoint}`)
  return endpoint
}

test('restored records are created, and merges update the winner, in what the feed holds', async () => {
  const org = await service.org()
  const losers = [newId(), newId()]
  await insertEvent(org, 'record.restored', null)
  await insertEvent(org, 'record.merged', { mergedIds: losers })
  await insertEvent(org, 'record.updated', { name: { from: 'A', to: 'Ada' } })
  await migrate()
  const feed = async () => (await org.get<{ events: object[] }>('/events')).body.events
  // Other tests may hold transactions open for a moment.
  await expect.poll(feed).toHaveLength(3)
  expect(await feed()).toMatchObject([
    { type: 'record.created', version: 3, data: { name: 'Ada' } },
    { type: 'record.updated', version: 3, changes: {}, mergedIds: losers },
    { type: 'record.updated', changes: { name: { from: 'A', to: 'Ada' } } },
  ])
})

test('events that wait to be read start no workflow as their new types would', async () => {
  const org = await service.org()
  const restored = await insertEvent(org, 'record.restored', null)
  const created = await insertEvent(org, 'record.created', null)
  for (const reader of ['webhooks', 'workflows'])
    await db.run(sql`
      insert into event_pending (org, events, reader) values (${org.org}, ${[restored, created]}::uuid[], ${reader})`)
  await migrate()
  const waiting = await db.many(sql`
    select reader, events from event_pending where org = ${org.org} and ${created} = any(events) order by reader`)
  expect(waiting).toEqual([
    { reader: 'webhooks', events: [restored, created] },
    { reader: 'workflows', events: [created] },
  ])
})

test('endpoints that chose another type get what took its place', async () => {
  const org = await service.org()
  const chosen = [
    [
      ['record.deleted', 'record.restored'],
      ['record.created', 'record.deleted'],
    ],
    [['record.created', 'record.restored'], ['record.created']],
    [['comment.created', 'record.merged'], ['record.updated']],
    [['comment.created', 'comment.deleted'], []],
    [
      ['record.updated', 'record.created'],
      ['record.updated', 'record.created'],
    ],
    [null, null],
  ] as const
  const ids: string[] = []
  for (const [types] of chosen) ids.push(await addEndpoint(org, types))
  await migrate()
  for (const [nr, [, types]] of chosen.entries()) {
    const { status, body } = await org.get<{ eventTypes: unknown }>(`/webhooks/endpoints/${ids[nr]}`)
    expect([status, body.eventTypes]).toEqual([200, types])
  }
})
