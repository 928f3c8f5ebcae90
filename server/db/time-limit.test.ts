import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { createTestDatabase } from '../test/database.ts'
import { withinMs } from './time-limit.ts'

const { pool } = await createTestDatabase()

const sleep = (seconds: number) => sql`select pg_sleep(${seconds})::text as slept`

test('returns undefined after the time limit, and resets the limit of the connection', async () => {
  expect(await withinMs(pool, 50, (tx) => tx.many(sleep(10)))).toBeUndefined()
  expect(await withinMs(pool, 5000, (tx) => tx.many(sleep(0)))).toEqual([{ slept: '' }])
  const { limit } = await pool.one<{ limit: string }>(
    sql`select current_setting('statement_timeout') as limit`,
  )
  expect(limit).toBe('30s')
})

test('passes on other errors', async () => {
  await expect(withinMs(pool, 1000, (tx) => tx.many(sql`select 1 / 0`))).rejects.toThrow('division by zero')
})
