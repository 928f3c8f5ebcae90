import type pg from 'pg'
import { expect, test } from 'vitest'
import { archiveChanges } from './archive-changes.ts'

const HEAD = { lsn: '0/1000000', at: '2026-11-26T00:00:00.000Z' }

/** Records each step, in the order in which the steps ended. */
function archivesWith(storeKeys: () => Promise<void>) {
  const steps: string[] = []
  const client = { query: async (text: string) => void steps.push(text.replace(/.*pg_|\(.*/g, '')) }
  const keys = { pass: () => storeKeys().finally(() => steps.push('keys')) }
  const storeLog = async () => {
    steps.push('log')
    return HEAD
  }
  const archive = { pass: storeLog }
  const run = () =>
    archiveChanges(client as unknown as pg.Client, { keys, archive }, new AbortController().signal)
  return { steps, run }
}

const TURN = ['advisory_lock', 'keys', 'log', 'advisory_unlock']

test('stores keys before the log that needs them, in one turn', async () => {
  const { steps, run } = archivesWith(async () => undefined)
  expect(await run()).toEqual({ head: HEAD, keys: { status: 'fulfilled', value: undefined } })
  expect(steps).toEqual(TURN)
})

test('archives the log when keys cannot be stored, and reports the error', async () => {
  const reason = new Error('secrets-key cannot be read')
  const { steps, run } = archivesWith(() => Promise.reject(reason))
  expect(await run()).toEqual({ head: HEAD, keys: { status: 'rejected', reason } })
  expect(steps).toEqual(TURN)
})
