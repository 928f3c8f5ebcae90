// Commits of one process wake the loops of another process through their database.
import pino from 'pino'
import sql from 'sql-template-tag'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createTestDatabase } from '../test/database.ts'
import { listenForNotices, sendNotices } from './notices.ts'
import { createWake } from './wake.ts'

const { pool, connection } = await createTestDatabase()
const log = pino({ level: 'silent' })
const LISTENERS = sql`
  select pid from pg_stat_activity
  where application_name = 'rapport-wakes' and datname = current_database() and query ilike 'listen%'`

async function listen() {
  const onNotice = vi.fn()
  const stop = listenForNotices({ connection, log, onNotice })
  onTestFinished(stop)
  await expect.poll(() => onNotice).toHaveBeenCalledTimes(1)
  onNotice.mockClear()
  return { onNotice, stop }
}

const sender = () => {
  const wake = createWake(async () => [])
  sendNotices(wake, pool)
  return wake
}

test('sends two notices for 100 commits in a row: one for the first, one for the others', async () => {
  const { onNotice } = await listen()
  const wake = sender()
  for (let commit = 0; commit < 100; commit++) wake.events()
  await expect.poll(() => onNotice).toHaveBeenCalledTimes(2)
  wake.work()
  await expect.poll(() => onNotice).toHaveBeenCalledTimes(3)
})

test('a listener reconnects after a lost connection, and reports that notices may be missed', async () => {
  const { onNotice } = await listen()
  await pool.many(sql`select pg_terminate_backend(pid) from (${LISTENERS}) as l`)
  await expect.poll(() => onNotice).toHaveBeenCalledTimes(1)
  sender().events()
  await expect.poll(() => onNotice).toHaveBeenCalledTimes(2)
})

test('a stopped listener leaves no connection', async () => {
  const { stop } = await listen()
  await stop()
  await expect.poll(() => pool.many(LISTENERS)).toEqual([])
})

test('an unavailable database does not fail the sender', async () => {
  const away = { ...pool, run: () => Promise.reject(new Error('away')) }
  const wake = createWake(async () => [])
  sendNotices(wake, away)
  wake.work()
})
