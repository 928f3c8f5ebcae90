// Jobs on the records that match a filter: updates and deletions.
import { describe, expect, test } from 'vitest'
import type { Job, NewJob, StartedJob } from '../../contract/jobs.ts'
import type { RecordList } from '../../contract/records.ts'
import type { UndoJob } from '../../contract/undo-jobs.ts'
import { workOnUndo } from '../change-sets/jobs.ts'
import { expectError, type Org } from '../test/factories.ts'
import { sharedTestService } from '../test/shared-service.ts'
import { createdJob, jobOf, never, resultsOf, smallest, work } from './jobs.fixture.ts'

const service = await sharedTestService()
const PEOPLE = '/objects/people/records'
const isEngineer = { attributeSlug: 'job_title', operator: 'equals', value: 'Engineer' }
const ALL = null

async function addPeople(org: Org, title: string, names: readonly string[]): Promise<void> {
  const records = names.map((name) => ({ data: { name, job_title: title } }))
  expect((await org.post(`${PEOPLE}/bulk`, { records })).body).toMatchObject({ created: names.length })
}

async function withPeople(): Promise<Org> {
  const org = await service.org()
  await addPeople(org, 'Engineer', ['Ada', 'Bob', 'Eve'])
  await addPeople(org, 'Author', ['Joe'])
  return org
}

const people = async (org: Org) =>
  (await org.get<RecordList>(`${PEOPLE}?order=asc`)).body.records.map(({ data }) => data)

async function run(org: Org, body: Partial<NewJob>): Promise<Job> {
  const job = await createdJob(org, body)
  expect(job).toMatchObject({ status: 'queued', progress: { total: null } })
  await work(service, org, job)
  return jobOf(org, job)
}

describe('an update', () => {
  const update = { type: 'update' as const, filter: isEngineer, data: { job_title: 'Builder' } }

  test('writes the values to all matching records, and lists them', async () => {
    const org = await withPeople()
    const job = await run(org, update)
    expect(job).toMatchObject({
      ...{ type: 'update', status: 'completed', format: null, matchOn: null, duplicates: null },
      progress: { done: 3, total: 3, updated: 3, failed: 0, skipped: 0 },
    })
    expect((await people(org)).map((data) => data['job_title'])).toEqual([
      'Builder',
      'Builder',
      'Builder',
      'Author',
    ])
    const results = await resultsOf(service, org, job)
    expect(results.map(({ status }) => status)).toEqual(['updated', 'updated', 'updated'])
    expect(new Set(results.map(({ id }) => id)).size).toBe(3)
    expect(results[0]).not.toHaveProperty('line')
  })

  test('takes a filter along a reference', async () => {
    const org = await withPeople()
    const company = { name: 'Acme', domain: 'acme.example' }
    expect((await org.post('/objects/companies/records', { data: company })).status).toBe(201)
    const atAcme = { name: 'Zoe', job_title: 'Author', company: { domain: company.domain } }
    expect((await org.post(PEOPLE, { data: atAcme })).status).toBe(201)
    const filter = { attributeSlug: 'company.domain', operator: 'equals', value: 'acme.example' }
    const job = await run(org, { ...update, filter })
    expect(job).toMatchObject({ status: 'completed', progress: { done: 1, total: 1, updated: 1 } })
    expect((await people(org)).find(({ job_title: title }) => title === 'Builder')).toMatchObject({
      name: { firstName: 'Zoe' },
    })
  })

  test('processes each record once if a worker stops and two others continue', async () => {
    const org = await withPeople()
    const job = await createdJob(org, { ...update, filter: ALL })
    const stop = new AbortController()
    let batches = 0
    const size = { rows: 1, took: () => void (++batches === 3 && stop.abort(new Error('killed'))) }
    await expect(work(service, org, job, stop.signal, size)).rejects.toThrow('killed')
    expect(await jobOf(org, job)).toMatchObject({ status: 'running', progress: { done: 2, total: 4 } })
    await Promise.all([work(service, org, job), work(service, org, job, never, smallest())])
    expect(await jobOf(org, job)).toMatchObject({ status: 'completed', progress: { done: 4, updated: 4 } })
    const versions = (await org.get<RecordList>(PEOPLE)).body.records.map(({ version }) => version)
    expect(versions).toEqual([2, 2, 2, 2])
  })

  test('skips records that were created after the job, and records that no longer match', async () => {
    const org = await withPeople()
    const job = await createdJob(org, update)
    await addPeople(org, 'Engineer', ['Zoe'])
    const { records } = (await org.get<RecordList>(`${PEOPLE}?order=asc`)).body
    await org.patch(`${PEOPLE}/${records[1]?.id}`, { data: { job_title: 'Poet' } })
    await org.delete(`${PEOPLE}/${records[2]?.id}`)
    await work(service, org, job)
    expect((await jobOf(org, job)).progress).toMatchObject({ done: 1, total: 1, updated: 1 })
    expect((await people(org)).map((data) => data['job_title'])).toEqual([
      'Builder',
      'Poet',
      'Author',
      'Engineer',
    ])
  })

  test('lists records for which the values are refused', async () => {
    const org = await withPeople()
    const job = await run(org, { ...update, data: { email: 'one@example.com' } })
    expect(job.progress).toMatchObject({ updated: 1, failed: 2 })
    const [first] = await resultsOf(service, org, job, 'updated')
    for (const failed of await resultsOf(service, org, job, 'failed'))
      expect(failed).toMatchObject({
        code: 'unique_violation',
        attribute: 'email',
        existingRecordId: first?.id,
      })
  })

  test('is undone as a whole', async () => {
    const org = await withPeople()
    const before = await people(org)
    const { changeSetId } = await run(org, update)
    const { body } = await org.post<UndoJob>('/undo-jobs', { kind: 'changeSet', id: changeSetId })
    await workOnUndo(service.ctx, { org: org.org, id: body.id }, never)
    expect(await people(org)).toEqual(before)
  })

  test('a dry run counts the matching records and changes nothing', async () => {
    const org = await withPeople()
    const { status, body } = await org.post<StartedJob>('/jobs?dryRun=true', {
      objectId: 'people',
      ...update,
    })
    expect([status, body]).toMatchObject([
      201,
      { id: null, changeSetId: null, status: 'queued', progress: { total: 3, done: 0 } },
    ])
    await service.drain()
    expect((await org.get('/jobs')).body).toMatchObject({ jobs: [] })
    expect(await people(org)).toContainEqual(expect.objectContaining({ job_title: 'Engineer' }))
  })
})

describe('a deletion', () => {
  test('moves all matching records to the trash, and an undo restores them', async () => {
    const org = await withPeople()
    const job = await run(org, { type: 'delete', filter: isEngineer })
    expect(job.progress).toMatchObject({ done: 3, total: 3, deleted: 3 })
    expect(await resultsOf(service, org, job, 'deleted')).toHaveLength(3)
    expect(await people(org)).toMatchObject([{ job_title: 'Author' }])
    const { body } = await org.post<UndoJob>('/undo-jobs', { kind: 'changeSet', id: job.changeSetId })
    await workOnUndo(service.ctx, { org: org.org, id: body.id }, never)
    expect(await people(org)).toHaveLength(4)
  })

  test('deletes permanently on request', async () => {
    const org = await withPeople()
    await run(org, { type: 'delete', filter: ALL, permanent: true })
    expect(await people(org)).toEqual([])
    expect((await org.get('/objects/people/trashed-records')).body).toMatchObject({ records: [] })
  })

  test('without matching records completes without changes', async () => {
    const org = await service.org()
    expect(await run(org, { type: 'delete', filter: ALL })).toMatchObject({
      status: 'completed',
      progress: { done: 0, total: 0 },
    })
  })
})

test('refuses fields of other types, invalid values and invalid filters', async () => {
  const org = await withPeople()
  const post = (body: object) => org.post('/jobs', { objectId: 'people', ...body })
  const data = { job_title: 'Builder' }
  for (const body of [
    { type: 'update', filter: ALL },
    { type: 'update', data },
    { type: 'delete' },
    { type: 'delete', filter: ALL, data },
    { type: 'delete', filter: ALL, matchOn: 'email' },
    { type: 'update', filter: ALL, data, permanent: true },
    { type: 'import', filter: ALL },
    { type: 'update', filter: ALL, data: { nothing: 1 } },
    { type: 'update', filter: ALL, data: { email: 'ada(at)example.com' } },
    { type: 'update', filter: ALL, data: { company: { domain: 'acme.com' } } },
  ])
    expectError(await post(body), 'validation_error')
  for (const filter of [
    {},
    { ...isEngineer, operator: 'nothing' },
    { ...isEngineer, attributeSlug: 'nothing' },
  ])
    expectError(await post({ type: 'delete', filter }), 'invalid_filter')
})

test('needs records:read, also while it runs, because the results show which records match', async () => {
  const org = await withPeople()
  const ask = async (key: string) => {
    const response = await service.inject({
      method: 'POST',
      url: '/api/v1/jobs',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      payload: JSON.stringify({ type: 'delete', objectId: 'people', filter: ALL }),
    })
    return { status: response.statusCode, body: JSON.parse(response.payload), headers: response.headers }
  }
  const refused = await ask(await org.keyWith(['records:write']))
  expectError(refused, 'insufficient_scope')
  expect(refused.body).toMatchObject({ details: { requiredScope: 'records:read' } })
  expect((await ask(await org.keyWith(['records:write', 'records:read']))).status).toBe(201)
})
