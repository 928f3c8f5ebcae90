// Imports of JSON lines by the API: the effect and the result of each line.
import { describe, expect, test } from 'vitest'
import type { CrmRecord, RecordList } from '../../contract/records.ts'
import type { UndoJob } from '../../contract/undo-jobs.ts'
import { workOnUndo } from '../change-sets/jobs.ts'
import { expectError, type Org } from '../test/factories.ts'
import { sharedTestService } from '../test/shared-service.ts'
import { createdJob, jobOf, linesOf, never, queuedJob, resultsOf, sendPiece, work } from './jobs.fixture.ts'

const service = await sharedTestService()
const PEOPLE = '/objects/people/records'

const person = (name: string, more: object = {}) => ({ data: { name, ...more } })

async function run(org: Org, text: string, body = {}) {
  const job = await queuedJob(org, text, body)
  await work(service, org, job)
  return jobOf(org, job)
}

const people = async (org: Org) =>
  (await org.get<RecordList>(`${PEOPLE}?order=asc&limit=100`)).body.records.map(({ data }) => data)

describe('an import', () => {
  test.each([
    [
      'ndjson',
      linesOf([person('Ada', { email: 'ada@example.com' }), person('Bob', { email: 'bob@example.com' })]),
    ],
    ['csv', 'name,email\nAda,ada@example.com\nBob,bob@example.com\n'],
  ] as const)('of %s reports rows without changes as unchanged', async (format, text) => {
    const org = await service.org()
    const body = { format, matchOn: 'email' }
    expect((await run(org, text, body)).progress).toMatchObject({ created: 2, unchanged: 0 })
    const before = [await people(org), await org.events()]
    const job = await run(org, text, body)
    expect(job.progress).toMatchObject({ done: 2, total: 2, created: 0, updated: 0, unchanged: 2, failed: 0 })
    expect(await resultsOf(service, org, job, 'unchanged')).toHaveLength(2)
    expect(await resultsOf(service, org, job, 'updated')).toEqual([])
    expect([await people(org), await org.events()]).toEqual(before)
    const changed = await run(org, text.replace('Bob', 'Rob'), body)
    expect(changed.progress).toMatchObject({ done: 2, updated: 1, unchanged: 1 })
  })

  test('creates a record for each line, and reports the result of each', async () => {
    const org = await service.org()
    const text = `${linesOf([person('Ada'), person('Bob', { email: 'bob(at)example.com' })])}\n\n{"data":\n["x"]\n${JSON.stringify(person('Eve'))}`
    const job = await run(org, text)
    expect(job).toMatchObject({
      type: 'import',
      status: 'completed',
      progress: { done: 5, total: 5, created: 2, updated: 0, skipped: 0, failed: 3 },
      changeSetId: job.id,
      error: null,
    })
    const [ada, bob, open, list, eve] = await resultsOf(service, org, job)
    expect([ada, eve]).toMatchObject([
      { line: 1, status: 'created' },
      { line: 7, status: 'created' },
    ])
    expect(bob).toMatchObject({ line: 2, id: null, status: 'failed', attribute: 'email' })
    expect([open, list]).toMatchObject([
      { line: 5, status: 'failed', code: 'validation_error' },
      { line: 6, status: 'failed', error: expect.stringContaining('JSON object') },
    ])
    expect((await org.get<CrmRecord>(`${PEOPLE}/${ada?.id}`)).body.data).toMatchObject({
      name: { firstName: 'Ada' },
    })
    expect(await resultsOf(service, org, job, 'created')).toHaveLength(2)
    expect(await resultsOf(service, org, job, 'failed')).toHaveLength(3)
    expect(await resultsOf(service, org, job, 'updated')).toEqual([])
  })

  test('lists all errors of a row that has several', async () => {
    const org = await service.org()
    const faulty = { data: { name: 'Ada', email: 'ada(at)example.com', phone: 'none', nope: 1 } }
    const job = await run(org, linesOf([faulty, person('Bob', { email: 'bob(at)example.com' })]))
    const [several, one] = await resultsOf(service, org, job)
    expect(several?.details?.errors.map(({ path }) => path).toSorted()).toEqual([
      'data.email',
      'data.nope',
      'data.phone',
    ])
    expect(several).toMatchObject({ error: expect.any(String), status: 'failed' })
    expect(one).not.toHaveProperty('details')
  })

  test('updates the record with the same unique value, and creates others', async () => {
    const org = await service.org()
    await org.post(PEOPLE, person('Ada', { email: 'ada@example.com' }))
    const rows = [
      { data: { email: 'ADA@example.com', job_title: 'Countess' } },
      person('Bob', { email: 'bob@example.com' }),
      { data: { email: 'bob@example.com', job_title: 'Builder' } },
      person('Eve'),
    ]
    const job = await run(org, linesOf(rows), { matchOn: 'email' })
    expect(job.progress).toMatchObject({ created: 1, updated: 2, failed: 1 })
    expect(await people(org)).toMatchObject([{ job_title: 'Countess' }, { job_title: 'Builder' }])
  })

  test('skips lines that match a record, including a record of an earlier line', async () => {
    const org = await service.org()
    const { body: ada } = await org.post<CrmRecord>(PEOPLE, person('Ada', { email: 'ada@example.com' }))
    const rows = [
      { data: { email: 'ada@example.com', job_title: 'Countess' } },
      person('Bob', { email: 'bob@example.com' }),
      person('Bobby', { email: 'BOB@example.com' }),
      person('Joe', { email: 'joe' }),
    ]
    const job = await queuedJob(org, linesOf(rows), { matchOn: 'email', duplicates: 'skip' })
    await work(service, org, job, never, { rows: 10, took: () => undefined })
    expect((await jobOf(org, job)).progress).toMatchObject({ created: 1, skipped: 2, failed: 1, updated: 0 })
    const results = await resultsOf(service, org, job)
    expect(results.map(({ line, status }) => [line, status])).toEqual([
      [1, 'skipped'],
      [2, 'created'],
      [3, 'skipped'],
      [4, 'failed'],
    ])
    expect([results[0]?.id, results[2]?.id]).toEqual([ada.id, results[1]?.id])
    expect((await people(org))[0]).not.toHaveProperty('job_title')
  })

  test('accepts lines in the format of lists, and updates records by their ids', async () => {
    const org = await service.org()
    const { body: ada } = await org.post<CrmRecord>(PEOPLE, person('Ada'))
    const changed = { ...ada, data: { ...ada.data, job_title: 'Countess' } }
    const unknown = { ...changed, id: '0198c0de-0000-7000-8000-000000000001' }
    const job = await run(org, linesOf([changed, unknown, person('Bob')]), { matchOn: 'id' })
    expect(job.progress).toMatchObject({ created: 1, updated: 1, failed: 1 })
    expect(await resultsOf(service, org, job, 'failed')).toMatchObject([{ line: 2, id: unknown.id }])
    expect(await people(org)).toMatchObject([{ job_title: 'Countess' }, { name: { firstName: 'Bob' } }])
  })

  test('refers to records by their values, and creates missing ones', async () => {
    const org = await service.org()
    const rows = ['Ada', 'Bob'].map((name) => person(name, { company: { domain: 'acme.com' } }))
    const refused = await run(org, linesOf(rows))
    expect(refused.progress).toMatchObject({ created: 0, failed: 2 })
    const job = await run(org, linesOf(rows), { createMissing: true })
    expect(job.progress).toMatchObject({ created: 2, failed: 0 })
    const companies = (await org.get<RecordList>('/objects/companies/records')).body.records
    expect(companies).toHaveLength(1)
    expect(await people(org)).toMatchObject([{ company: companies[0]?.id }, { company: companies[0]?.id }])
  })

  test('is undone as a whole', async () => {
    const org = await service.org()
    const { body: ada } = await org.post<CrmRecord>(
      PEOPLE,
      person('Ada', { email: 'ada@example.com', job_title: 'Analyst' }),
    )
    const rows = [
      { data: { email: 'ada@example.com', job_title: 'Countess' } },
      person('Bob', { email: 'b@example.com' }),
    ]
    const { changeSetId } = await run(org, linesOf(rows), { matchOn: 'email' })
    const { body } = await org.post<UndoJob>('/undo-jobs', { kind: 'changeSet', id: changeSetId })
    await workOnUndo(service.ctx, { org: org.org, id: body.id }, never)
    expect(await people(org)).toEqual([ada.data])
  })

  test('reads lines of any length up to the limit, and fails only longer lines', async () => {
    const org = await service.org()
    const long = person('Long', { job_title: 'x'.repeat(200_000) })
    const text = `${linesOf([person('Ada'), long])}${'y'.repeat(1_100_000)}\n${linesOf([person('Eve')])}`
    const job = await run(org, text)
    expect(job.progress).toMatchObject({ total: 4, created: 3, failed: 1 })
    expect(await resultsOf(service, org, job, 'failed')).toMatchObject([
      { line: 3, error: expect.stringContaining('1 MiB') },
    ])
  })
})

describe('POST /jobs', () => {
  test('refuses invalid settings, and an object whose records cannot be written', async () => {
    const org = await service.org()
    const post = (body: object) => org.post('/jobs', { type: 'import', objectId: 'people', ...body })
    for (const body of [
      { type: 'nothing' },
      { objectId: 'nothing' },
      { objectId: (await (await service.org()).get<{ id: string }>('/objects/people')).body.id },
      { matchOn: 'job_title' },
      { matchOn: 'nothing' },
      { duplicates: 'skip' },
      { matchOn: 'id', duplicates: 'skip' },
      { matchOn: 'email', duplicates: 'create' },
      { format: 'xml' },
    ])
      expectError(await post(body), 'validation_error')
    const { body } = await org.post<{ slug: string }>('/objects', {
      pluralName: 'Things',
      singularName: 'Thing',
    })
    await org.patch(`/objects/${body.slug}`, { isActive: false })
    expectError(await post({ objectId: body.slug }), 'object_inactive')
  })

  test('needs records:write, and shows jobs to keys with records:read', async () => {
    const org = await service.org()
    const job = await createdJob(org)
    const ask = async (
      scope: 'records:read' | 'records:write',
      method: 'GET' | 'POST',
      path: string,
      payload?: object,
    ) =>
      (
        await service.inject({
          method,
          url: `/api/v1${path}`,
          headers: { authorization: `Bearer ${await org.keyWith([scope])}` },
          ...(payload && { payload }),
        })
      ).statusCode
    expect(await ask('records:read', 'POST', '/jobs', { type: 'import', objectId: 'people' })).toBe(403)
    expect(await ask('records:read', 'POST', `/jobs/${job.id}/cancel`)).toBe(403)
    expect(await ask('records:read', 'GET', `/jobs/${job.id}`)).toBe(200)
    expect(await ask('records:write', 'GET', `/jobs/${job.id}/results`)).toBe(403)
  })

  test('returns not_found for the file of another organization', async () => {
    const [org, other] = [await service.org(), await service.org()]
    const job = await createdJob(org)
    expectError(await sendPiece(other, job, linesOf([person('Ada')])), 'not_found')
    for (const path of ['', '/content', '/results'])
      expectError(await other.get(`/jobs/${job.id}${path}`), 'not_found')
  })
})
