import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { createTestDatabase } from '../../../test/database.ts'
import { type CompactedIndex, compactIndexes } from './compact.ts'

const { pool } = await createTestDatabase()

const BYTES_MIN = 512 * 1024

/** Writes keys in random order, which splits pages in half. */
const writeNumbers = (count: number) =>
  pool.run(sql`
    insert into index_number (org, attr, value, id)
    select 1, 1, i, uuidv7() from generate_series(1, ${count}::int) i order by md5(i::text)`)

const unusable = () =>
  pool.many<{ name: string }>(sql`
    select indexrelid::regclass::text as name from pg_index where not indisvalid or not indisready`)

async function compact(signal: AbortSignal): Promise<CompactedIndex[]> {
  const done: CompactedIndex[] = []
  await compactIndexes(pool, { bytesMin: BYTES_MIN, signal, onIndex: (one) => done.push(one) })
  return done
}

test('rebuilds the indexes of at least the minimum size without gaps', async () => {
  await writeNumbers(20_000)
  const [only, ...others] = await compact(new AbortController().signal)
  expect(others).toEqual([])
  expect(only?.index).toBe('index_number_pkey')
  expect((only?.bytesAfter ?? 0) / (only?.bytesBefore ?? 1)).toBeLessThan(0.9)
  expect(await unusable()).toEqual([])
})

test('drops the leftover of an interrupted rebuild', async () => {
  const copy = pool.run(sql`
    create unique index concurrently index_number_pkey_ccnew on index_number (org, attr)`)
  await expect(copy).rejects.toMatchObject({ code: '23505' })
  expect(await unusable()).toEqual([{ name: 'index_number_pkey_ccnew' }])
  await compact(new AbortController().signal)
  expect(await unusable()).toEqual([])
})

test('a rebuild that is stopped while it waits for a transaction leaves the index unchanged', async () => {
  const stopping = new AbortController()
  await pool
    .transaction(async (tx) => {
      await tx.run(sql`update index_number set value = value where org = 1 and attr = 1 and value = 1`)
      const compacting = compact(stopping.signal)
      compacting.catch(() => undefined)
      const isWaiting = sql`
      select count(*)::int as n from pg_stat_activity
      where datname = current_database() and query like 'reindex%' and wait_event_type = 'Lock'`
      await expect.poll(() => pool.value<number>(isWaiting)).toBe(1)
      stopping.abort(new Error('stopped'))
      // The leftover is dropped once the transaction has ended.
      await expect
        .poll(() =>
          pool.value<number>(sql`
      select count(*)::int as n from pg_stat_activity
      where datname = current_database() and query like 'drop index concurrently%'`),
        )
        .toBe(1)
      return { compacting }
    })
    .then(({ compacting }) => expect(compacting).rejects.toThrow('stopped'))
  expect(await unusable()).toEqual([])
})

test('a stop before the first index rebuilds nothing', async () => {
  await expect(compact(AbortSignal.abort(new Error('stopped')))).rejects.toThrow('stopped')
})
