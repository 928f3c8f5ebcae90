// Jobs reveal no record data to keys that may write records but not read them.
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import type { Job, NewJob } from '../../contract/jobs.ts'
import { expectError } from '../test/factories.ts'
import { sharedTestService } from '../test/shared-service.ts'
import { jobOf, linesOf, queuedJob, resultsOf, work } from './jobs.fixture.ts'

const service = await sharedTestService()
const ada = { name: 'Ada Lovelace', email: 'ada@example.com', job_title: 'Analyst' }
const rules: NewJob = {
  type: 'import',
  objectId: 'people',
  format: 'csv',
  duplicates: 'skip',
  duplicateRules: true,
}

test('duplicateRules needs records:read, because the results show which records match', async () => {
  const writer = await service.org({ scopes: ['records:write'] })
  const refused = await writer.post('/jobs', rules)
  expectError(refused, 'insufficient_scope')
  expect(refused.body).toMatchObject({ details: { requiredScope: 'records:read' } })
  expect((await writer.post('/jobs', { ...rules, duplicateRules: false, matchOn: 'email' })).status).toBe(201)
  const reader = await service.org({ scopes: ['records:write', 'records:read'] })
  expect((await reader.post('/jobs', rules)).status).toBe(201)
})

test('duplicateRules needs records:read while the job runs too', async () => {
  const org = await service.org({ scopes: ['records:write', 'records:read'] })
  const job = await queuedJob(org, 'name\nAda Lovelace\n', rules)
  await service.ctx.directory.run(
    sql`update api_keys set scopes = array['records:write'] where id = ${org.keyId}`,
  )
  await service.ctx.cells.copy()
  await work(service, org, job)
  const { body } = await org.post<Job>(`/jobs/${job.id}/cancel`)
  expect(body).toMatchObject({ status: 'failed', progress: { done: 0 } })
})

test('for keys that only write, a row that equals its record is counted like a row that changes it', async () => {
  const org = await service.org({ scopes: ['records:write'] })
  expect((await org.post('/objects/people/records', { data: ada })).status).toBe(201)
  const told = async (jobTitle: string) => {
    const rows = linesOf([{ data: { email: ada.email, job_title: jobTitle } }])
    const job = await queuedJob(org, rows, { matchOn: 'email' })
    await work(service, org, job)
    return (await org.post<Job>(`/jobs/${job.id}/cancel`)).body.progress
  }
  const right = await told('Analyst')
  expect(right).toMatchObject({ done: 1, updated: 1, unchanged: 0 })
  expect(await told('Poet')).toEqual(right)
})

test('keys with records:read can see which rows changed nothing', async () => {
  const org = await service.org({ scopes: ['records:write', 'records:read'] })
  await org.post('/objects/people/records', { data: ada })
  const job = await queuedJob(org, linesOf([{ data: ada }]), { matchOn: 'email' })
  await work(service, org, job)
  expect((await jobOf(org, job)).progress).toMatchObject({ updated: 0, unchanged: 1 })
})

test('a key that only writes can follow the jobs that it created, and no others', async () => {
  const org = await service.org({ scopes: ['records:write'] })
  const job = await queuedJob(org, linesOf([{ data: ada }, { data: ada }, { data: { email: 'x' } }]), {
    matchOn: 'email',
  })
  await work(service, org, job)
  expect(await jobOf(org, job)).toMatchObject({
    status: 'completed',
    progress: { done: 3, created: 1, updated: 1, unchanged: 0, failed: 1 },
  })
  const results = await resultsOf(service, org, job)
  expect(results.map(({ status }) => status)).toEqual(['created', 'updated', 'failed'])
  expect(await resultsOf(service, org, job, 'updated')).toHaveLength(1)
  expect(await resultsOf(service, org, job, 'unchanged')).toEqual([])
  const headers = { authorization: `Bearer ${await org.keyWith(['records:write'])}` }
  for (const path of ['', '/results']) {
    const refused = await service.inject({ url: `/api/v1/jobs/${job.id}${path}`, headers })
    expect([refused.statusCode, refused.json().details]).toEqual([403, { requiredScope: 'records:read' }])
  }
})
