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

/** Its statements but the first, which adds a column and can run only once. */
const migrate = () =>
  db.transaction(async (tx) => {
    const file = new URL('../../migrations/0061-mirrors.sql', import.meta.url)
    const text = await readFile(file, 'utf8')
    const statements = text.slice(text.indexOf('create temporary table')).split(/;$/m)
    for (const one of statements) if (one.trim() !== '') await tx.run(sql`${raw(one)}`)
  })

const insertEvent = (org: Org, type: string, changes: object | null) =>
  db.run(sql`
    insert into events (org, id, type, subject, version, data, changes)
    values (${org.org}, ${newId()}, ${type}, ${newId()}, 3, '{"name": "Ada"}', ${changes && JSON.stringify(changes)}::jsonb)`)

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
