import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { newId } from '../../base/id.ts'
import { recordEvent } from '../../events/outbox.ts'
import { createTestDatabase } from '../../test/database.ts'
import { followFeed } from './follow.ts'
import { selectFeedNow } from './store.ts'

const { pool } = await createTestDatabase()
const { org } = await pool.one<{ org: number }>(
  sql`insert into organizations (id, name, slug) values (gen_random_uuid(), 'Acme', 'acme') returning org`,
)
const types = ['record.created'] as const

async function write(): Promise<string> {
  const subject = newId()
  await recordEvent(pool, { org, userId: null, keyId: null }, { type: 'record.created', subject, data: {} })
  return subject
}

test('followFeed leaves out earlier events, also when an open transaction delays them', async () => {
  const opened = Promise.withResolvers<void>()
  const ending = Promise.withResolvers<void>()
  const holding = pool.transaction(async (tx) => {
    await tx.run(sql`select pg_current_xact_id()`)
    opened.resolve()
    await ending.promise
  })
  await opened.promise
  await write()
  const now = await selectFeedNow(pool, org, types)
  expect(now.waiting).toHaveLength(1)
  const later = [await write(), await write()]
  ending.resolve()
  await holding
  const found: string[] = []
  for await (const { body } of followFeed(pool, org, { now, types, signal: new AbortController().signal }))
    if (found.push(JSON.parse(body).recordId) === later.length) break
  expect(found).toEqual(later)
})
