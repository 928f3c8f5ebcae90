// What organizations had of event types that no longer exist (migration 0061).
import { readFile } from 'node:fs/promises'
import sql, { raw } from 'sql-template-tag'
import { expect, test } from 'vitest'
import { newId } from '../id.ts'
import { buildTestService } from '../test/build-app.ts'
import { insertEndpoint } from './endpoint.fixture.ts'

const service = await buildTestService()
const { db } = service.ctx

/** Its last statement: those before it change the schema, and can run only once. */
async function migrate(): Promise<void> {
  const text = await readFile(new URL('../../migrations/0061-mirrors.sql', import.meta.url), 'utf8')
  await db.run(raw(text.slice(text.indexOf('do $$'))))
}

test('restored records and merges are of the types that exist, and start no workflow that waits', async () => {
  const org = await service.org()
  await insertEndpoint(service.ctx, org.org, { url: 'https://example.com/all' })
  for (const name of ['Plain', 'Restored', 'Merged'])
    await org.post('/objects/companies/records', { data: { name } })
  const stored = await db.many<{ id: string }>(sql`select id from events where org = ${org.org} order by id`)
  const [plain = '', restored = '', merged = ''] = stored.map(({ id }) => id)
  const loser = newId()
  await db.run(sql`update events set type = 'record.restored' where org = ${org.org} and id = ${restored}`)
  await db.run(sql`
    update events set type = 'record.merged', changes = jsonb_build_object('mergedIds', jsonb_build_array(${loser}::text))
    where org = ${org.org} and id = ${merged}`)
  const ids = [plain, restored, merged]
  for (const reader of ['webhooks', 'workflows'])
    await db.run(
      sql`insert into event_pending (org, events, reader) values (${org.org}, ${ids}::uuid[], ${reader})`,
    )
  await migrate()
  expect(
    await db.many(sql`
      select id, type, merged_ids as "mergedIds" from events where org = ${org.org} order by id`),
  ).toEqual([
    { id: plain, type: 'record.created', mergedIds: null },
    { id: restored, type: 'record.created', mergedIds: null },
    { id: merged, type: 'record.updated', mergedIds: [loser] },
  ])
  expect(
    await db.many(sql`
      select reader, events from event_pending where org = ${org.org} and ${plain} = any(events) order by id desc limit 2`),
  ).toEqual([
    { reader: 'workflows', events: [plain] },
    { reader: 'webhooks', events: ids },
  ])
})

test.each([
  [['record.restored', 'comment.created'], ['record.created']],
  [
    ['record.created', 'record.restored', 'record.merged'],
    ['record.created', 'record.updated'],
  ],
  [['comment.created', 'comment.deleted'], []],
  [['record.deleted'], ['record.deleted']],
  [null, null],
])('an endpoint that chose %j has %j', async (before, after) => {
  const org = await service.org()
  const { endpoint } = await insertEndpoint(service.ctx, org.org)
  await db.run(
    sql`update webhook_endpoints set event_types = ${before} where org = ${org.org} and id = ${endpoint}`,
  )
  await migrate()
  expect(
    await db.value(
      sql`select event_types from webhook_endpoints where org = ${org.org} and id = ${endpoint}`,
    ),
  ).toEqual(after)
})
