// Exports by jobs: the contents of their files, which an import accepts again.
import { describe, expect, test } from 'vitest'
import type { Job, NewJob } from '../../contract/jobs.ts'
import type { RecordList } from '../../contract/records.ts'
import { expectError, type Org } from '../test/factories.ts'
import { sharedTestService } from '../test/shared-service.ts'
import { createdJob, jobOf, never, queuedJob, work } from './jobs.fixture.ts'

const service = await sharedTestService()
const PEOPLE = '/objects/people/records'
/** Characters of a text: 24 of them have more than 4 MiB. */
const NOTES = 190_000
const isEngineer = { attributeSlug: 'job_title', operator: 'equals', value: 'Engineer' }

async function withPeople(): Promise<Org> {
  const org = await service.org()
  const records = [
    { data: { name: 'Ada Lovelace', job_title: 'Engineer', email: 'ada@example.com' } },
    { data: { name: 'Bob, "B"', job_title: 'Author' } },
    { data: { name: 'Zoë', job_title: 'Engineer' } },
  ]
  await org.post(`${PEOPLE}/bulk`, { records })
  return org
}

const fileOf = ({ key }: Org, { id }: Job) =>
  service.inject({ url: `/api/v1/jobs/${id}/file`, headers: { authorization: `Bearer ${key}` } })

async function exported(org: Org, body: Partial<NewJob> = {}) {
  const job = await createdJob(org, { type: 'export', ...body })
  await work(service, org, job)
  expect(await jobOf(org, job)).toMatchObject({ status: 'completed', format: body.format ?? 'ndjson' })
  return { job: await jobOf(org, job), ...(await fileOf(org, job)) }
}

describe('an export', () => {
  test('needs only records:read to create, read and cancel, unlike other types', async () => {
    const org = await withPeople()
    const reader = await org.keyWith(['records:read'])
    const headers = { authorization: `Bearer ${reader}` }
    const start = (body: object) =>
      service.inject({
        method: 'POST',
        url: '/api/v1/jobs',
        headers,
        payload: { objectId: 'people', ...body },
      })
    const created = await start({ type: 'export' })
    expect(created.statusCode, created.payload).toBe(201)
    const job = created.json<Job>()
    await work(service, org, job)
    expect((await fileOf({ ...org, key: reader }, job)).payload.split('\n')).toHaveLength(4)
    const cancel = ({ id }: Pick<Job, 'id'>) =>
      service.inject({ method: 'POST', url: `/api/v1/jobs/${id}/cancel`, headers })
    const open = (await start({ type: 'export' })).json<Job>()
    expect((await cancel(open)).json()).toMatchObject({ status: 'cancelled' })
    const others = [
      { type: 'import' },
      { type: 'delete', filter: isEngineer },
      { type: 'update', filter: isEngineer, data: { job_title: 'x' } },
    ]
    for (const other of others) {
      const refused = await start(other)
      expect([refused.statusCode, refused.json().details]).toEqual([403, { requiredScope: 'records:write' }])
    }
    const mine = await createdJob(org, { type: 'import' })
    expect((await cancel(mine)).statusCode).toBe(403)
    expect(await jobOf(org, mine)).toMatchObject({ status: 'awaiting_upload' })
  })

  test('with fields, has only these attributes', async () => {
    const org = await withPeople()
    const { payload } = await exported(org, { fields: ['job_title'], filter: isEngineer })
    const lines = payload
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { data: object })
    expect(lines.map(({ data }) => data)).toEqual([{ job_title: 'Engineer' }, { job_title: 'Engineer' }])
    const table = await exported(org, { fields: ['email', 'name', 'email'], format: 'csv' })
    const rows = table.payload.trim().split(/\r?\n/)
    expect(rows[0]).toBe('id,email,name.firstName,name.lastName,createdAt,updatedAt')
    expect(rows[1]).toContain(',ada@example.com,Ada,Lovelace,')
    const refused = await org.post('/jobs', { type: 'export', objectId: 'people', fields: ['name', 'emial'] })
    expectError(refused, 'validation_error')
    expect(refused.body).toMatchObject({
      details: { errors: [{ path: 'fields[1]', message: expect.stringContaining('"email"') }] },
    })
  })

  test('contains each record as in lists, and an import accepts the file', async () => {
    const org = await withPeople()
    const { payload, headers, job } = await exported(org)
    expect(job.progress).toMatchObject({ done: 3, total: 3, exported: 3 })
    expect(headers).toMatchObject({
      'content-type': 'application/x-ndjson; charset=utf-8',
      'content-disposition': expect.stringContaining(`export-${job.id}.ndjson`),
    })
    const { records } = (await org.get<RecordList>(`${PEOPLE}?order=asc`)).body
    expect(
      payload
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual(records)
    const changed = payload.replaceAll('"job_title": "Engineer"', '"job_title": "Builder"')
    expect(changed).not.toBe(payload)
    const back = await queuedJob(org, changed, { matchOn: 'id' })
    await work(service, org, back)
    expect((await jobOf(org, back)).progress).toMatchObject({ updated: 2, unchanged: 1, failed: 0 })
  })

  test('as CSV has a column for each attribute or part of an attribute', async () => {
    const org = await withPeople()
    const { payload, headers } = await exported(org, { format: 'csv', filter: isEngineer })
    expect(headers['content-type']).toBe('text/csv; charset=utf-8')
    const [head = '', first = '', second = '', ...rest] = payload.trim().split('\n')
    expect(head).toMatch(/^id,name\.firstName,name\.lastName,.*job_title.*,createdAt,updatedAt$/)
    expect(first).toMatch(/Ada,Lovelace,.*ada@example\.com.*Engineer/)
    expect(second).toContain('Zoë')
    expect(rest).toEqual([])
  })

  test('continues after a worker was stopped, and contains each record once', async () => {
    const org = await withPeople()
    const job = await createdJob(org, { type: 'export', format: 'csv' })
    const stop = new AbortController()
    let batches = 0
    const size = { rows: 1, took: () => void (++batches === 2 && stop.abort(new Error('killed'))) }
    await expect(work(service, org, job, stop.signal, size)).rejects.toThrow('killed')
    expectError(await org.get(`/jobs/${job.id}/file`), 'wrong_state')
    await Promise.all([work(service, org, job), work(service, org, job, never)])
    const lines = (await fileOf(org, job)).payload.trim().split('\n')
    expect(lines).toHaveLength(4)
    expect(new Set(lines).size).toBe(4)
  })

  test.each(['csv', 'ndjson'] as const)('as %s ends a batch after 4 MiB', async (format) => {
    const org = await service.org()
    await org.post('/objects/people/attributes', { name: 'Notes', type: 'text' })
    const records = Array.from({ length: 24 }, (_, nr) => ({
      data: { name: `P ${nr}`, notes: `${nr} ${'x'.repeat(NOTES)}` },
    }))
    for (const part of [records.slice(0, 12), records.slice(12)])
      expect((await org.post(`${PEOPLE}/bulk`, { records: part })).status).toBe(200)
    const job = await createdJob(org, { type: 'export', format, fields: ['notes'] })
    const batches: number[] = []
    await work(service, org, job, never, { rows: 100, took: (rows) => void batches.push(rows) })
    expect(batches.length).toBeGreaterThan(2)
    const lines = (await fileOf(org, job)).payload.trim().split('\n')
    const places = lines.flatMap((line) => /[",](\d+) xx/.exec(line)?.[1] ?? [])
    expect(places).toEqual(records.map((_, nr) => String(nr)))
  })

  test('as CSV is accepted by an import', async () => {
    const org = await withPeople()
    const { payload } = await exported(org, { format: 'csv' })
    const back = await queuedJob(org, payload.replaceAll('Engineer', 'Builder'), {
      format: 'csv',
      matchOn: 'id',
    })
    await work(service, org, back)
    expect((await jobOf(org, back)).progress).toMatchObject({ done: 3, total: 3, updated: 2, unchanged: 1 })
    const { records } = (await org.get<RecordList>(`${PEOPLE}?order=asc`)).body
    expect(records.map(({ data }) => data)).toMatchObject([
      { name: { lastName: 'Lovelace' }, job_title: 'Builder', email: 'ada@example.com' },
      { job_title: 'Author' },
      { name: { firstName: 'Zoë' }, job_title: 'Builder' },
    ])
  })

  test('without matching records is a file without records', async () => {
    const org = await service.org()
    expect((await exported(org)).payload).toBe('')
    expect((await exported(org, { format: 'csv' })).payload).toMatch(/^id,.*updatedAt\n$/)
  })

  test('other jobs have no file', async () => {
    const org = await service.org()
    expectError(await org.get(`/jobs/${(await createdJob(org)).id}/file`), 'wrong_state')
    const update = { type: 'update' as const, objectId: 'people', filter: null, data: {}, format: 'csv' }
    expectError(await org.post('/jobs', update), 'validation_error')
  })
})
