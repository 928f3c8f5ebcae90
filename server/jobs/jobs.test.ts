import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { createTestDatabase } from '../test/database.ts'
import { onPool } from './boss.ts'

const { pool } = await createTestDatabase()

test('a failed transaction of the queue leaves its connection usable', async () => {
  await expect(onPool(pool).executeSql('begin; select 1 / 0; commit')).rejects.toThrow('division by zero')
  expect(await pool.one(sql`select 1 as answered`)).toEqual({ answered: 1 })
})
