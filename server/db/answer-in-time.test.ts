import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { createTestDatabase } from '../test/database.ts'
import { impatient } from './answer-in-time.ts'
import { askWhileBusy } from './busy.fixture.ts'

const { pool } = await createTestDatabase()

test('reads of a database that responds return their results and errors unchanged', async () => {
  const db = impatient(pool, 60_000)
  expect(await db.value(sql`select 7 as n`)).toBe(7)
  expect(await db.many(sql`select 7 as n`)).toEqual([{ n: 7 }])
  await expect(db.value(sql`select 1 / 0`)).rejects.toThrow(/division by zero/)
})

test('a read without an answer fails after the time limit', async () => {
  const never = () => new Promise<never>(() => undefined)
  const db = impatient({ ...pool, one: never, snapshot: never }, 1)
  await expect(db.one(sql`select 1`)).rejects.toThrow(/did not respond within 1 ms/)
  await expect(db.snapshot(async () => 1)).rejects.toThrow(/did not respond within 1 ms/)
})

test('an answer that a busy process reads late is still returned', async () => {
  const ask = async (answer: () => Promise<void>) => {
    const one = async () => {
      await answer()
      return 7
    }
    return impatient({ ...pool, one } as unknown as typeof pool, 100).one(sql`select 7`)
  }
  expect(await askWhileBusy(300, ask)).toBe(7)
})
