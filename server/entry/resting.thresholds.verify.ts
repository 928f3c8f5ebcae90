// How many transactions the service sends to its database while no requests arrive.
import { setTimeout as delay } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { createTestDatabase, testDatabaseUrl } from '../test/database.ts'
import { temporaryFolder } from '../test/temporary-folder.ts'
import { addressOf, startService } from './service-process.fixture.ts'

/** Measured: 19 to 27 with one process. If each loop polled ten times a second, it would be 90 (calculated). */
const PER_SECOND_MAX = 40
/** In the first periods the service may still do work of its start. */
const PERIODS = 5
const PERIOD_MS = 4000

const { pool } = await createTestDatabase()

const transactions = () =>
  pool.value<number>(sql`
    select (xact_commit + xact_rollback)::float8 from pg_stat_database where datname = current_database()`)

test(`an idle service sends at most ${PER_SECOND_MAX} transactions a second`, async () => {
  const name = await pool.value<string>(sql`select current_database()`)
  const env = { DATABASE_URL: testDatabaseUrl(name), DATA_DIR: await temporaryFolder(), PORT: '0' }
  const service = startService({ ...env, RAPPORT_DEMO: 'off' })
  await addressOf(service)
  const rates: number[] = []
  while (rates.length < PERIODS) {
    const before = await transactions()
    await delay(PERIOD_MS)
    rates.push(((await transactions()) - before) / (PERIOD_MS / 1000))
  }
  expect(Math.min(...rates)).toBeGreaterThan(1)
  expect(Math.min(...rates)).toBeLessThan(PER_SECOND_MAX)
})
