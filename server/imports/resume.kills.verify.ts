// Every row is imported once, even if a worker is killed at any time or two workers run concurrently.
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import type { Import } from '../../contract/imports.ts'
import type { Context } from '../context.ts'
import type { Db } from '../db/pool.ts'
import { batchesOf } from '../jobs/batch-size.fixture.ts'
import { workOnJob } from '../record-jobs/jobs.ts'
import { buildTestService } from '../test/build-app.ts'
import type { Org } from '../test/factories.ts'
import { checked, get, mapping, post, uploaded } from './imports.fixture.ts'
import { workOnCheck } from './jobs.ts'

const service = await buildTestService()
const { ctx } = service

const ROWS = 1700
const FAILED = [3, 700, 1699]

const text = [
  'Name,Email',
  ...Array.from({ length: ROWS }, (_, index) =>
    FAILED.includes(index) ? `Bad,nowhere${index}` : `P ${index},p${index}@example.com`,
  ),
].join('\n')

async function running(org: Org): Promise<{ file: Import; ref: { org: number; id: string } }> {
  const member = await org.member('member')
  const file = await checked(service, member, { text, mapping: mapping('name', 'email') })
  await post(member, file, 'run')
  return { file, ref: { org: org.org, id: file.id } }
}

/** The context with each transaction wrapped in `around`. */
const withTransactions = (around: (run: () => Promise<unknown>) => Promise<unknown>): Context => ({
  ...ctx,
  db: {
    ...ctx.db,
    transaction: <Result>(work: (tx: Db) => Promise<Result>) =>
      around(() => ctx.db.transaction(work)) as Promise<Result>,
  },
})

async function expectComplete(org: Org, file: Import): Promise<void> {
  const done = await get(await org.member('member'), file)
  expect(done).toMatchObject({
    state: 'completed',
    progress: { rows: ROWS, created: ROWS - FAILED.length, failed: FAILED.length },
  })
  expect(await org.events()).toHaveLength(ROWS - FAILED.length)
  const failures = await ctx.db.many<{ line: number }>(
    sql`select line from import_failures where org = ${org.org} order by row`,
  )
  expect(failures.map(({ line }) => line)).toEqual(FAILED.map((index) => index + 2))
  const { count } = await ctx.db.one<{ count: number }>(
    sql`select count(distinct data->>'email') as count from records where org = ${org.org}`,
  )
  expect(count).toBe(ROWS - FAILED.length)
}

const never = new AbortController().signal

/** Rows of a batch: the file has several batches. */
const BATCH = 500
const goOn = (context: Context, ref: { org: number; id: string }, { signal = never, rows = BATCH } = {}) =>
  workOnJob(context, ref, signal, batchesOf(rows))

test.each([1, 2, 3])('another worker completes an import stopped after %i batches', async (batches) => {
  const org = await service.org()
  const { file, ref } = await running(org)
  const stopping = new AbortController()
  let left = batches
  const stopped = withTransactions(async (run) => {
    const result = await run()
    if (--left === 0) stopping.abort(new Error('stop'))
    return result
  })
  await expect(goOn(stopped, ref, { signal: stopping.signal })).rejects.toThrow('stop')
  expect((await get(await org.member('member'), file)).progress.rows).toBe(BATCH * batches)
  await goOn(ctx, ref)
  await expectComplete(org, file)
})

test('a batch that fails before its commit writes nothing', async () => {
  const org = await service.org()
  const { file, ref } = await running(org)
  let left = 2
  const broken: Context = {
    ...ctx,
    db: {
      ...ctx.db,
      transaction: (work) =>
        ctx.db.transaction(async (tx) => {
          const result = await work(tx)
          if (--left === 0) throw new Error('the connection broke')
          return result
        }),
    },
  }
  await expect(goOn(broken, ref)).rejects.toThrow('the connection broke')
  const { progress, state } = await get(await org.member('member'), file)
  expect({ rows: progress.rows, state }).toEqual({ rows: BATCH, state: 'running' })
  await goOn(ctx, ref)
  await expectComplete(org, file)
})

test('repeated failures fail the import', async () => {
  const org = await service.org()
  const { file, ref } = await running(org)
  // Breaks the transaction of the batch, not the one that records the failure.
  const broken = () => {
    let isBatch = true
    return withTransactions((run) => {
      if (!isBatch) return run()
      isBatch = false
      throw new Error('broken for good')
    })
  }
  for (let tries = 1; tries < 5; tries++) await expect(goOn(broken(), ref)).rejects.toThrow()
  await goOn(broken(), ref)
  expect(await get(await org.member('member'), file)).toMatchObject({
    state: 'failed',
    error: expect.stringContaining('unexpected error'),
    progress: { rows: 0 },
  })
})

test('a written batch resets the count of failures', async () => {
  const org = await service.org()
  const { file, ref } = await running(org)
  const brokenAfter = (batches: number) => {
    let left = batches
    return withTransactions((run) => (left-- > 0 ? run() : Promise.reject(new Error('broken for now'))))
  }
  for (let tries = 1; tries < 5; tries++)
    await expect(goOn(brokenAfter(0), ref)).rejects.toThrow('broken for now')
  await expect(goOn(brokenAfter(1), ref)).rejects.toThrow('broken for now')
  await goOn(ctx, ref)
  await expectComplete(org, file)
})

test.each([
  [700, 300],
  [300, 700],
  [100, 5000],
])('an import in batches of %i rows is continued in batches of %i', async (rows, after) => {
  const org = await service.org()
  const { file, ref } = await running(org)
  const stopping = new AbortController()
  const stopped = withTransactions(async (run) => {
    const result = await run()
    stopping.abort(new Error('stop'))
    return result
  })
  await expect(goOn(stopped, ref, { signal: stopping.signal, rows })).rejects.toThrow('stop')
  expect((await get(await org.member('member'), file)).progress.rows).toBe(rows)
  await goOn(ctx, ref, { rows: after })
  await expectComplete(org, file)
})

test.each([500, 200])('two workers import every row once, the second in batches of %i', async (rows) => {
  const org = await service.org()
  const { file, ref } = await running(org)
  await Promise.all([goOn(ctx, ref), goOn(ctx, ref, { rows })])
  await expectComplete(org, file)
})

test('a worker that outlives a cancellation writes nothing more', async () => {
  const org = await service.org()
  const member = await org.member('member')
  const { file, ref } = await running(org)
  let left = 1
  const cancelled = withTransactions(async (run) => {
    const result = await run()
    if (--left === 0) await post(member, file, 'cancel')
    return result
  })
  await goOn(cancelled, ref)
  expect(await get(member, file)).toMatchObject({ state: 'cancelled', progress: { rows: BATCH } })
  expect(await org.events()).toHaveLength(499)
})

test('a cancelled check does not affect the next check', async () => {
  const org = await service.org()
  const member = await org.member('member')
  const file = await uploaded(member, text)
  const settings = { mapping: mapping('name', 'email') }
  await post(member, file, 'check', settings)
  let left = 2
  const cancelled = withTransactions(async (run) => {
    const result = await run()
    if (--left === 0) await post(member, file, 'cancel')
    return result
  })
  await workOnCheck(cancelled, { org: org.org, id: file.id }, never, batchesOf(BATCH))
  expect(await get(member, file)).toMatchObject({ state: 'uploaded', progress: { rows: 2 * BATCH } })
  await post(member, file, 'check', settings)
  await service.drain()
  expect(await get(member, file)).toMatchObject({
    state: 'checked',
    check: { creates: ROWS - FAILED.length, errors: FAILED.length },
  })
  expect(await ctx.db.many(sql`select value from import_claims where org = ${org.org}`)).toEqual([])
})
