// How jobs continue after a stop, and how they end.
import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import type { RecordList } from '../../contract/records.ts'
import type { Context } from '../context.ts'
import { batchesOf } from '../jobs/batch-size.fixture.ts'
import { expectError, type Org } from '../test/factories.ts'
import { sharedTestService } from '../test/shared-service.ts'
import { createdJob, jobOf, linesOf, never, queuedJob, resultsOf, sendPiece, work } from './jobs.fixture.ts'
import { forgetJobs, workOnJob } from './jobs.ts'
import { WORK_ON_JOB } from './queued.ts'

const service = await sharedTestService()
const { ctx } = service
const names = Array.from({ length: 12 }, (_, nr) => `Person ${nr}`)
const text = linesOf(names.map((name) => ({ data: { name } })))

const people = async (org: Org) => (await org.get<RecordList>('/objects/people/records')).body.records

describe('a job', () => {
  test('writes each row once if a worker stops and two others continue', async () => {
    const org = await service.org()
    const job = await queuedJob(org, text)
    const stop = new AbortController()
    let batches = 0
    const size = { rows: 2, took: () => void (++batches === 2 && stop.abort(new Error('killed'))) }
    await expect(work(service, org, job, stop.signal, size)).rejects.toThrow('killed')
    expect(await jobOf(org, job)).toMatchObject({
      status: 'running',
      progress: { done: 4, total: 12 },
      startedAt: expect.any(String),
    })
    expect(await resultsOf(service, org, job)).toHaveLength(4)
    await Promise.all([work(service, org, job), work(service, org, job)])
    expect(await jobOf(org, job)).toMatchObject({
      status: 'completed',
      progress: { done: 12, total: 12, created: 12, failed: 0 },
      completedAt: expect.any(String),
    })
    expect(await people(org)).toHaveLength(12)
    const results = await resultsOf(service, org, job)
    expect(results.map(({ line }) => line)).toEqual(names.map((_, nr) => nr + 1))
    expect(new Set(results.map(({ id }) => id)).size).toBe(12)
  })

  test('is left to a worker that is ahead, and checked again later', async () => {
    const org = await service.org()
    const job = await queuedJob(org, ['name', ...names].join('\n'), { format: 'csv' })
    const ref = { org: org.org, id: job.id }
    const stop = new AbortController()
    let [isFirst, batches] = [true, 0]
    const ahead = { rows: 2, took: () => void (++batches === 2 && stop.abort(new Error('killed'))) }
    const later: unknown[][] = []
    const behind: Context = {
      ...ctx,
      db: {
        ...ctx.db,
        async transaction(write) {
          if (isFirst) await work(service, org, job, stop.signal, ahead).catch(() => undefined)
          isFirst = false
          return ctx.db.transaction(write)
        },
      },
      queue: { ...ctx.queue, enqueue: async (_, ...queued) => void later.push(queued) },
    }
    await workOnJob(behind, ref, never, batchesOf(3))
    const seen = { ...ref, seenLines: 4 }
    const again = (seenLines: number) => [WORK_ON_JOB, { ...ref, seenLines }, { afterSeconds: 30 }]
    expect(later).toEqual([again(4)])
    expect((await jobOf(org, job)).progress).toMatchObject({ done: 4, total: 13 })
    // The job has progressed, so the other worker is alive.
    await workOnJob(behind, { ...ref, seenLines: 2 }, never, batchesOf(3))
    expect(later).toEqual([again(4), again(4)])
    await workOnJob(behind, seen, never, batchesOf(3))
    expect(await jobOf(org, job)).toMatchObject({ status: 'completed', progress: { created: 12 } })
    expect(await people(org)).toHaveLength(12)
  })

  test('is run by the worker of the service', async () => {
    const org = await service.org()
    const job = await queuedJob(org, text)
    await service.drain()
    expect(await jobOf(org, job)).toMatchObject({ status: 'completed', progress: { created: 12 } })
  })

  test('can be cancelled while it runs, and keeps the written rows', async () => {
    const org = await service.org()
    const job = await queuedJob(org, text)
    const stop = new AbortController()
    const size = { rows: 5, took: () => stop.abort(new Error('stopped')) }
    await expect(work(service, org, job, stop.signal, size)).rejects.toThrow('stopped')
    const { status, body } = await org.post(`/jobs/${job.id}/cancel`)
    expect([status, body]).toMatchObject([200, { status: 'cancelled', progress: { done: 5, total: 12 } }])
    await work(service, org, job)
    expect(await people(org)).toHaveLength(5)
    expect((await org.post(`/jobs/${job.id}/cancel`)).body).toEqual(body)
  })

  test('fails if its key may no longer write', async () => {
    const org = await service.org()
    const job = await queuedJob(org, text)
    await ctx.directory.run(sql`update api_keys set scopes = array['records:read'] where id = ${org.keyId}`)
    await ctx.cells.copy()
    await work(service, org, job)
    expect(await jobOf(org, job)).toMatchObject({
      status: 'failed',
      progress: { done: 0 },
      error: 'Who asked for it may no longer do so: ask for it again with another key or member',
    })
  })

  test('fails if its object is no longer active', async () => {
    const org = await service.org()
    const { body } = await org.post<{ slug: string }>('/objects', {
      pluralName: 'Things',
      singularName: 'Thing',
    })
    const job = await queuedJob(org, linesOf([{ data: {} }]), { objectId: body.slug })
    await org.patch(`/objects/${body.slug}`, { isActive: false })
    await work(service, org, job)
    expect(await jobOf(org, job)).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('inactive'),
    })
  })

  test('is retried after an unexpected error, and fails after several', async () => {
    const org = await service.org()
    const job = await queuedJob(org, text)
    await ctx.db.run(sql`update record_job_chunks set starts_at = 1 where org = ${org.org}`)
    for (let tries = 1; tries < 5; tries++)
      await expect(work(service, org, job)).rejects.toThrow('incomplete')
    await work(service, org, job)
    expect(await jobOf(org, job)).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('several'),
    })
  })

  test('is deleted after a week, or after a day if its file is incomplete', async () => {
    const org = await service.org()
    const [done, waiting, running] = [
      await queuedJob(org, text),
      await createdJob(org),
      await queuedJob(org, text),
    ]
    await work(service, org, done)
    await sendPiece(org, waiting, text, { complete: '?0' })
    const age = (interval: string) =>
      ctx.db.run(
        sql`update record_jobs set created_at = now() - ${interval}::interval where org = ${org.org}`,
      )
    await age('25 hours')
    await forgetJobs(ctx, never, new Date())
    expectError(await org.get(`/jobs/${waiting.id}`), 'not_found')
    expect((await org.get(`/jobs/${done.id}`)).status).toBe(200)
    await age('8 days')
    await forgetJobs(ctx, never, new Date())
    expectError(await org.get(`/jobs/${done.id}`), 'not_found')
    expect((await org.get(`/jobs/${running.id}`)).status).toBe(200)
  })
})
