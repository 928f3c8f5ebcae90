// Every row is written once, even if the worker of a job is stopped at any point, or if two workers run the job.
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import type { Job } from '../../contract/jobs.ts'
import type { Context } from '../context.ts'
import type { Db } from '../db/pool.ts'
import { batchesOf } from '../jobs/batch-size.fixture.ts'
import { buildTestService } from '../test/build-app.ts'
import type { Org } from '../test/factories.ts'
import { jobOf, linesOf, never, queuedJob, resultsOf } from './jobs.fixture.ts'
import { workOnJob } from './jobs.ts'

const service = await buildTestService()
const { ctx } = service

const ROWS = 1700
const FAILED = [3, 700, 1699]
const BATCH = 500

const text = linesOf(
  Array.from({ length: ROWS }, (_, nr) => ({
    data: { name: `P ${nr}`, email: FAILED.includes(nr) ? `none${nr}` : `p${nr}@example.com` },
  })),
)

async function running(): Promise<{ org: Org; job: Job; ref: { org: number; id: string } }> {
  const org = await service.org()
  const job = await queuedJob(org, text)
  return { org, job, ref: { org: org.org, id: job.id } }
}

/** A context that runs `around` for each transaction. */
const withTransactions = (around: (work: (tx: Db) => Promise<unknown>) => Promise<unknown>): Context => ({
  ...ctx,
  db: {
    ...ctx.db,
    transaction: <Result>(work: (tx: Db) => Promise<Result>) => around(work) as Promise<Result>,
  },
})

const goOn = (context: Context, ref: { org: number; id: string }, { signal = never, rows = BATCH } = {}) =>
  workOnJob(context, ref, signal, batchesOf(rows))

async function expectComplete(org: Org, job: Job): Promise<void> {
  expect(await jobOf(org, job)).toMatchObject({
    status: 'completed',
    progress: { done: ROWS, total: ROWS, created: ROWS - FAILED.length, failed: FAILED.length },
  })
  expect(await org.events()).toHaveLength(ROWS - FAILED.length)
  const results = await resultsOf(service, org, job)
  expect(results.map(({ line }) => line)).toEqual(Array.from({ length: ROWS }, (_, nr) => nr + 1))
  expect(results.flatMap(({ line = 0, status }) => (status === 'failed' ? [line - 1] : []))).toEqual(FAILED)
  const { count } = await ctx.db.one<{ count: number }>(
    sql`select count(distinct data->>'email')::int as count from records where org = ${org.org}`,
  )
  expect(count).toBe(ROWS - FAILED.length)
}

test.each([1, 2, 3])('a worker that was stopped after %i batches is replaced by another', async (batches) => {
  const { org, job, ref } = await running()
  const stopping = new AbortController()
  let left = batches
  const stopped = withTransactions(async (work) => {
    const result = await ctx.db.transaction(work)
    if (--left === 0) stopping.abort(new Error('stop'))
    return result
  })
  await expect(goOn(stopped, ref, { signal: stopping.signal })).rejects.toThrow('stop')
  expect((await jobOf(org, job)).progress.done).toBe(BATCH * batches)
  await goOn(ctx, ref)
  await expectComplete(org, job)
})

test('a batch whose connection breaks before the commit leaves no trace', async () => {
  const { org, job, ref } = await running()
  let left = 2
  const broken = withTransactions((work) =>
    ctx.db.transaction(async (tx) => {
      const result = await work(tx)
      if (--left === 0) throw new Error('the connection broke')
      return result
    }),
  )
  await expect(goOn(broken, ref)).rejects.toThrow('the connection broke')
  expect(await jobOf(org, job)).toMatchObject({ status: 'running', progress: { done: BATCH } })
  expect(await resultsOf(service, org, job)).toHaveLength(BATCH)
  await goOn(ctx, ref)
  await expectComplete(org, job)
})

test.each([500, 200])('two workers write every row once, the second in batches of %i', async (rows) => {
  const { org, job, ref } = await running()
  await Promise.all([goOn(ctx, ref), goOn(ctx, ref, { rows })])
  await expectComplete(org, job)
})

test('a worker that is still running after a cancellation writes nothing more', async () => {
  const { org, job, ref } = await running()
  let left = 1
  const cancelled = withTransactions(async (work) => {
    const result = await ctx.db.transaction(work)
    if (--left === 0) await org.post(`/jobs/${job.id}/cancel`)
    return result
  })
  await goOn(cancelled, ref)
  expect(await jobOf(org, job)).toMatchObject({ status: 'cancelled', progress: { done: BATCH } })
  expect(await org.events()).toHaveLength(BATCH - 1)
})
