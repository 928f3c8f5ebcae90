// Imports that only check their file: they write nothing, and report what an import would do with each row.
import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import type { NewJob } from '../../contract/jobs.ts'
import type { RecordList } from '../../contract/records.ts'
import { batchesOf } from '../jobs/batch-size.fixture.ts'
import { expectError, type Org } from '../test/factories.ts'
import { sharedTestService } from '../test/shared-service.ts'
import { jobOf, linesOf, never, queuedJob, resultsOf, work } from './jobs.fixture.ts'

const service = await sharedTestService()
const BATCH_ROWS = 250

async function imported(org: Org, text: string, body: Partial<NewJob>, rows = BATCH_ROWS) {
  const job = await queuedJob(org, text, body)
  await work(service, org, job, never, batchesOf(rows))
  const ended = await jobOf(org, job)
  expect(ended).toMatchObject({ status: 'completed', dryRun: body.dryRun ?? false })
  return { job: ended, results: await resultsOf(service, org, job) }
}

const checked = (org: Org, text: string, body: Partial<NewJob>, rows?: number) =>
  imported(org, text, { ...body, dryRun: true }, rows)

async function storedIn(org: Org) {
  const records = (object: string) =>
    org.get<RecordList>(`/objects/${object}/records?limit=100`).then(({ body }) => body.records)
  return {
    people: await records('people'),
    companies: await records('companies'),
    events: await org.events(),
  }
}

const outcomes = (results: Awaited<ReturnType<typeof imported>>['results']) =>
  results.map(({ id: _, existingRecordId: __, ...rest }) => rest)

async function withAda(): Promise<{ org: Org; ada: string }> {
  const org = await service.org()
  const data = { name: 'Ada Lovelace', email: 'ada@example.com', job_title: 'Analyst' }
  const { body } = await org.post<{ id: string }>('/objects/people/records', { data })
  return { org, ada: body.id }
}

const acme = { domain: 'acme.com' }
const rows = [
  { data: { email: 'ada@example.com', job_title: 'Analyst' } },
  { data: { email: 'ada@example.com', job_title: 'Countess' } },
  { data: { name: 'Bob', email: 'bob@example.com', company: acme } },
  { data: { email: 'bob@example.com', job_title: 'Author' } },
  { data: { name: 'Eve', email: 'eve(at)example.com' } },
  { data: { name: 'Zoë', email: 'zoe@example.com', company: { domain: 'nowhere' } } },
]
const header = 'name,email,job_title,company.domain\n'
const table = `${header},ada@example.com,Analyst,\n,ada@example.com,Countess,\nBob,bob@example.com,,acme.com\n,bob@example.com,Author,\nEve,eve(at)example.com,,\n`

describe('a dry run of an import', () => {
  test.each([
    ['JSON lines', linesOf(rows), {}],
    ['a table', table, { format: 'csv' }],
  ] as const)(
    'of %s writes nothing, and reports for each row what the import then does',
    async (_, text, more) => {
      const { org, ada } = await withAda()
      const before = await storedIn(org)
      const body = { matchOn: 'email', createMissing: true, ...more }
      const check = await checked(org, text, body)
      expect(await storedIn(org)).toEqual(before)
      expect(check.results.map(({ id, status }) => [status, id])).toMatchObject([
        ['unchanged', ada],
        ['updated', ada],
        ['created', null],
        ['updated', null],
        ['failed', null],
        ...(text === table ? [] : [['failed', null]]),
      ])
      const run = await imported(org, text, body)
      expect(outcomes(check.results)).toEqual(outcomes(run.results))
      expect(check.job.progress).toEqual(run.job.progress)
    },
  )

  test('has nothing to undo', async () => {
    const { org } = await withAda()
    const { job } = await checked(org, linesOf(rows), { matchOn: 'email' })
    expectError(await org.post('/undo-jobs', { kind: 'changeSet', id: job.changeSetId }), 'validation_error')
  })

  test('compares rows by the duplicate rules, and skips those that match', async () => {
    const { org, ada } = await withAda()
    const text = linesOf([{ data: { name: 'Ada L.', email: 'ada@example.com' } }, { data: { name: 'Eve' } }])
    const { results } = await checked(org, text, { duplicateRules: true, duplicates: 'skip' })
    expect(results.map(({ id, status }) => [status, id])).toEqual([
      ['skipped', ada],
      ['created', null],
    ])
  })

  test('does not name the record of a row that holds a unique value only in the check', async () => {
    const { org } = await withAda()
    const twice = linesOf([
      { data: { name: 'Bob', email: 'b@example.com' } },
      { data: { name: 'Rob', email: 'b@example.com' } },
      { data: { name: 'Rod', email: 'b@example.com', phone: 7 } },
    ])
    const { results } = await checked(org, twice, {})
    expect(results[1]).toMatchObject({
      ...{ status: 'failed', code: 'unique_violation' },
      error: 'email: this value is taken by another row of the file',
    })
    expect(results[2]).toMatchObject({ status: 'failed' })
    expect(JSON.stringify(results.slice(1))).not.toMatch(/the record|existingRecordId/)
  })

  test.each([
    ['JSON lines', linesOf(rows.slice(2, 4)), {}],
    ['a table', `${header}Bob,bob@example.com,,acme.com\n,bob@example.com,Author,\n`, { format: 'csv' }],
  ] as const)('of %s does not see what rows of earlier batches would write', async (_, text, more) => {
    const { org } = await withAda()
    const body = { matchOn: 'email', createMissing: true, ...more }
    const { job } = await checked(org, text, body, 1)
    expect(job.progress).toMatchObject({ done: 2, created: 1, failed: 1 })
  })

  test('is for imports, and needs the scope of imports', async () => {
    const { org } = await withAda()
    const exporting = { type: 'export', objectId: 'people', dryRun: true }
    expectError(await org.post('/jobs', exporting), 'validation_error')
    const reader = await service.org({ scopes: ['records:read'] })
    const asked = { type: 'import', objectId: 'people', dryRun: true }
    expectError(await reader.post('/jobs', asked), 'insufficient_scope')
  })

  test('waits in a queue that workers of earlier versions do not know', async () => {
    const { org } = await withAda()
    const job = await queuedJob(org, linesOf(rows), { dryRun: true })
    const kind = await service.ctx.db.value<string>(
      sql`select name from pgboss.job where data->>'id' = ${job.id} and state = 'created'`,
    )
    expect(kind).toBe('record-jobs.work-with-settings')
    await service.drain()
    expect(await jobOf(org, job)).toMatchObject({ status: 'completed', progress: { done: 6 } })
  })
})
