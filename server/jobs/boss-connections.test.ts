// The connections of pg-boss.
import { expect, test } from 'vitest'
import { openPool } from '../db/pool.ts'
import { afterFile } from '../test/after-file.ts'
import { createTestDatabase } from '../test/database.ts'
import { onPool } from './boss.ts'

const { connection } = await createTestDatabase()
const pool = openPool({ connection, max: 1, statementTimeoutMs: 30_000, onError: () => undefined })
afterFile(() => pool.close())
const { executeSql } = onPool(pool)

const backend = async () => (await executeSql('select pg_backend_pid() as pid')).rows[0]

test.each([
  ['a statement', 'select 1 / 0'],
  ['a transaction', 'begin; select 1 / 0; commit'],
])('keeps the connection after %s fails', async (_what, text) => {
  const before = await backend()
  await expect(executeSql(text)).rejects.toThrow('division by zero')
  expect(await backend()).toEqual(before)
})

test('replaces a lost connection', async () => {
  const before = await backend()
  await expect(executeSql('select pg_terminate_backend(pg_backend_pid())')).rejects.toThrow()
  expect(await backend()).not.toEqual(before)
})
