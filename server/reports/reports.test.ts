import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import type { ReportDetail, ReportRun, ReportRunDetail } from '../../contract/reports.ts'
import { newId } from '../base/id.ts'
import { scheduledJobs } from '../entry/worker.ts'
import { buildTestService } from '../test/build-app.ts'
import { bodyOf, expectError } from '../test/factories.ts'
import { reportBusy } from './report-queue.ts'
import { createRecords, makeReport, run } from './reports.fixture.ts'
import { deleteOldReportRuns } from './store.ts'

const service = await buildTestService()
const { ctx } = service
const [org, other] = [await service.org(), await service.org()]
await createRecords(org, 'deals', [
  { name: 'One', stage: 'Won', amount: 10 },
  { name: 'Two', stage: 'Lead' },
])

interface RunPage {
  runs: ReportRun[]
  pagination: { total: number; limit: number; offset: number }
}

describe('GET /reports', () => {
  test('lists reports by name, with the time of their last run', async () => {
    const { id, creator, createdAt } = await makeReport(org, { name: 'aaa first', description: 'The first' })
    const before = await org.get<{ reports: ReportDetail[] }>('/reports')
    expect(before.status).toBe(200)
    expect(before.body.reports[0]).toEqual({
      id,
      name: 'aaa first',
      description: 'The first',
      lastRunAt: null,
      createdAt,
      creator,
    })
    const { startedAt } = await run(org, id)
    const { body } = await org.get<{ reports: ReportDetail[] }>('/reports')
    expect(body.reports[0]).toMatchObject({ id, lastRunAt: startedAt })
    expect((await other.get<{ reports: [] }>('/reports')).body.reports).toEqual([])
  })
})

describe('GET /reports/:reportId', () => {
  test('returns the definition', async () => {
    const made = await makeReport(org)
    const { status, body, headers } = await org.get(`/reports/${made.id}`)
    expect(status).toBe(200)
    expect(body).toEqual({ ...made, version: 1 })
    expect(headers['etag']).toMatch(/^"\w+\.[\w-]{11}"$/)
    await run(org, made.id)
    expect((await org.get(`/reports/${made.id}`)).headers['etag']).not.toBe(headers['etag'])
    expect(made.definition).toMatchObject({ source: { objectId: 'deals', alias: 'deal' } })
  })
})

describe('POST /reports/:reportId/run', () => {
  test('runs the report and stores its results with its definition', async () => {
    const { id, definition } = await makeReport(org, {
      groupBy: [{ key: 'stage', field: 'deal.stage' }],
      measures: [{ key: 'sum', op: 'sum', field: 'deal.amount' }],
    })
    const made = await run(org, id)
    expect(made).toEqual({
      id: expect.any(String),
      reportId: id,
      status: 'completed',
      resultCount: 2,
      startedAt: expect.any(String),
      completedAt: expect.any(String),
      error: null,
    })
    const body = bodyOf(await org.get<ReportRunDetail>(`/reports/${id}/runs/${made.id}`))
    expect(body.run).toEqual({
      ...made,
      definition,
      results: {
        columns: expect.arrayContaining([expect.objectContaining({ key: 'sum', role: 'measure' })]),
        rows: [
          { stage: 'Lead', sum: { amount: 0, currency: 'USD' } },
          { stage: 'Won', sum: { amount: 10, currency: 'USD' } },
        ],
        isTruncated: false,
        truncated: false,
        asOf: expect.any(String),
        executionMs: expect.any(Number),
      },
    })
  })

  test('fails with a reason when an attribute of the definition was deleted', async () => {
    const attribute = await org.post<{ id: string }>('/objects/deals/attributes', {
      name: 'Size',
      type: 'number',
    })
    const { id } = await makeReport(org, { measures: [{ key: 'size', op: 'sum', field: 'deal.size' }] })
    await org.delete(`/objects/deals/attributes/${attribute.body.id}`)
    const made = await run(org, id)
    expect(made).toMatchObject({
      status: 'failed',
      resultCount: 0,
      error: expect.stringMatching(/^measures\[0\]\.field: deals has no attribute "size": use name, /),
    })
    const { body } = await org.get<ReportRunDetail>(`/reports/${id}/runs/${made.id}`)
    expect(body.run).toMatchObject({ status: 'failed', results: null })
  })

  test('returns the first run again for the same Idempotency-Key', async () => {
    const { id } = await makeReport(org)
    const again = () => org.post(`/reports/${id}/run`, undefined, { 'idempotency-key': `run ${id}` })
    const [first, second] = [await again(), await again()]
    expect(first).toMatchObject({ status: 201, body: { run: { status: 'completed' } } })
    expect(second.body).toEqual(first.body)
    expect((await org.get<RunPage>(`/reports/${id}/runs`)).body.pagination.total).toBe(1)
  })

  test('returns report_busy while too many reports run', async () => {
    const { id } = await makeReport(org)
    const { queue } = ctx.reports
    ctx.reports.queue = { take: () => Promise.reject(reportBusy()), waiting: 0 }
    const reply = await org.post(`/reports/${id}/run`)
    ctx.reports.queue = queue
    expectError(reply, 'report_busy')
    expect(reply.headers['retry-after']).toBe('10')
    expect((await org.get<RunPage>(`/reports/${id}/runs`)).body.runs).toEqual([])
  })
})

describe('GET /reports/:reportId/runs', () => {
  test('pages through runs, newest first', async () => {
    const { id } = await makeReport(org)
    const runs = [await run(org, id), await run(org, id), await run(org, id)]
    const body = bodyOf(await org.get<RunPage>(`/reports/${id}/runs?limit=2&offset=1`))
    expect(body).toEqual({
      runs: [runs[1], runs[0]],
      pagination: { total: 3, limit: 2, offset: 1 },
    })
    const all = await org.get<RunPage>(`/reports/${id}/runs`)
    expect(all.body.pagination).toEqual({ total: 3, limit: 20, offset: 0 })
  })

  test('rejects invalid page parameters', async () => {
    const { id } = await makeReport(org)
    for (const query of ['limit=0', 'limit=101', 'offset=-1', 'page=2'])
      expectError(await org.get(`/reports/${id}/runs?${query}`), 'invalid_parameter')
  })

  test('keeps the last fifty runs, and older runs that have not ended', async () => {
    const { id } = await makeReport(org)
    await ctx.db.run(sql`
      insert into report_runs (org, id, report, definition, status)
      select ${org.org}, uuidv7(), ${id}, '{}', case when place = 1 then 'running' else 'failed' end
      from generate_series(1, 60) as place`)
    await deleteOldReportRuns(ctx.db, org.org, id)
    const { body } = await org.get<RunPage>(`/reports/${id}/runs?limit=100`)
    expect(body.pagination.total).toBe(51)
    expect(body.runs.at(-1)?.status).toBe('running')
  })
})

describe('GET /reports/:reportId/runs/:runId', () => {
  test('returns 404 for a run of another report', async () => {
    const [first, second] = [await makeReport(org), await makeReport(org)]
    const { id } = await run(org, first.id)
    expectError(await org.get(`/reports/${second.id}/runs/${id}`), 'not_found')
  })
})

test('runs of a killed node end as failed', async () => {
  const { id } = await makeReport(org)
  const [old, fresh] = [newId(), newId()]
  for (const [runId, seconds] of [
    [old, 3600],
    [fresh, 1],
  ] as const)
    await ctx.db.run(sql`
      insert into report_runs (org, id, report, definition, started_at)
      values (${org.org}, ${runId}, ${id}, '{}', now() - make_interval(secs => ${seconds}::int))`)
  await scheduledJobs.find(({ name }) => name === 'reports.sweep')?.run(ctx, new AbortController().signal)
  const { body } = await org.get<RunPage>(`/reports/${id}/runs`)
  expect(body.runs).toMatchObject([
    { id: fresh, status: 'running' },
    {
      id: old,
      status: 'failed',
      error: expect.stringMatching(/^The service stopped/),
      completedAt: expect.any(String),
    },
  ])
})
