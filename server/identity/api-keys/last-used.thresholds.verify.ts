// The last use of keys is written in parallel with the checks of keys.
import { setTimeout as delay } from 'node:timers/promises'
import pino from 'pino'
import sql from 'sql-template-tag'
import { expect, test, vi } from 'vitest'
import { openPool } from '../../db/pool.ts'
import { buildTestService } from '../../test/build-app.ts'
import { createTestDatabase } from '../../test/database.ts'
import { LastUsed } from './last-used.ts'

const databases = await createTestDatabase()
const service = await buildTestService({}, undefined, databases)
const log = pino({ level: 'silent' })
const EVERY_MS = 30

const usedAt = (keyId: string) =>
  databases.pool.value<string | null>(sql`select last_used_at from api_keys where id = ${keyId}`)

test('while a write is unanswered, no second write starts, and only one connection is in use', async () => {
  const org = await service.org()
  const admission = openPool({
    connection: databases.connection,
    ...{ max: 2, statementTimeoutMs: 5000, onError: () => undefined },
  })
  const run = vi.spyOn(admission, 'run')
  const lastUsed = new LastUsed(admission, log, { everyMs: EVERY_MS })
  const locked = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const locking = databases.pool.transaction(async (tx) => {
    await tx.run(sql`select from api_keys where id = ${org.keyId} for update`)
    locked.resolve()
    await released.promise
  })
  await locked.promise
  const firstMs = Date.now()
  for (let n = 0; n < 10; n++) {
    lastUsed.mark(org, firstMs + n)
    // A request with another key is checked on the other connection.
    expect(await admission.value(sql`select 1`)).toBe(1)
    await delay(EVERY_MS)
  }
  expect(run).toHaveBeenCalledTimes(1)
  released.resolve()
  await locking
  // The time of the last mark, which was made while the first write waited.
  const last = new Date(firstMs + 9).toISOString()
  await expect.poll(() => usedAt(org.keyId)).toBe(last)
  await lastUsed.close()
  await admission.close()
})
