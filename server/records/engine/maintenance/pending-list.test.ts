import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { createTestDatabase } from '../../../test/database.ts'
import { createPendingListFlush, flushPendingLists, nextInterval } from './pending-list.ts'

const { pool } = await createTestDatabase()

/** Writes index rows of different texts. */
const writeTexts = (count: number) =>
  pool.run(sql`
    insert into index_text (org, attr, value, id, searched)
    select 1, 1, md5(i::text), uuidv7(), true from generate_series(1, ${count}::int) i`)

test.each([
  [1000, 0, 1000],
  [1000, 512, 1000],
  [1000, 768, 667],
  [1000, 5000, 500],
  [200, 5000, 200],
  [250, 0, 500],
  [400, 256, 800],
])('after %i ms with %i pages the next flush is in %i ms', (intervalMs, pages, next) => {
  expect(Math.round(nextInterval(intervalMs, pages))).toBe(next)
})

test('flushes new trigrams once', async () => {
  await writeTexts(500)
  expect(await flushPendingLists(pool)).toBeGreaterThan(0)
  expect(await flushPendingLists(pool)).toBe(0)
})

test('a round flushes only when the interval is over', async () => {
  let now = 0
  const round = createPendingListFlush(pool, () => now)
  await round()
  await writeTexts(500)
  now = 999
  await round()
  const { pending } = await pool.one<{ pending: boolean }>(
    sql`select gin_clean_pending_list('index_text_searched') > 0 as pending`,
  )
  expect(pending).toBe(true)
  await writeTexts(500)
  now = 1000
  await round()
  expect(await flushPendingLists(pool)).toBe(0)
})
