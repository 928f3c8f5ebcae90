// Deletion of jobs that have ended: their files and results are removed, and what they wrote can still be undone.
import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import type { Job, JobList, NewJob } from '../../contract/jobs.ts'
import type { RecordList } from '../../contract/records.ts'
import { expectError, type Org } from '../test/factories.ts'
import { sharedTestService } from '../test/shared-service.ts'
import { createdJob, jobOf, linesOf, queuedJob, work } from './jobs.fixture.ts'

const service = await sharedTestService()
const FILE = linesOf([{ data: { name: 'Ada' } }, { data: { name: 'Bob', email: 'bob(at)example.com' } }])

const as = (key: string) => ({ authorization: `Bearer ${key}` })
const remove = (org: Org, { id }: Pick<Job, 'id'>, headers = {}) =>
  org.delete(`/jobs/${id}`, undefined, headers)

async function ended(org: Org, body: Partial<NewJob> = {}): Promise<Job> {
  const job = body.type === 'export' ? await createdJob(org, body) : await queuedJob(org, FILE, body)
  await work(service, org, job)
  const done = await jobOf(org, job)
  expect(done).toMatchObject({ status: 'completed' })
  return done
}

const partsOf = ({ id }: Pick<Job, 'id'>) =>
  service.ctx.db.one<{ chunks: number; results: number }>(sql`
    select (select count(*)::int from record_job_chunks where job = ${id}) as chunks,
      (select count(*)::int from record_job_results where job = ${id}) as results`)

const recordsOf = async (org: Org) =>
  (await org.get<RecordList>('/objects/people/records')).body.records.length

describe('the deletion of a job', () => {
  test('removes its file and results', async () => {
    const org = await service.org()
    const job = await ended(org)
    expect(await partsOf(job)).toEqual({ chunks: 1, results: 2 })
    const reply = await remove(org, job)
    expect([reply.status, reply.body]).toEqual([200, { id: job.id, deleted: true }])
    expect(await partsOf(job)).toEqual({ chunks: 0, results: 0 })
    expect((await org.get<JobList>('/jobs')).body.jobs).toEqual([])
    for (const path of ['', '/content', '/results', '/file'])
      expectError(await org.get(`/jobs/${job.id}${path}`), 'not_found')
    expectError(await remove(org, job), 'not_found')
  })

  test('leaves what the job wrote, and its undo', async () => {
    const org = await service.org()
    const job = await ended(org)
    await remove(org, job)
    expect(await recordsOf(org)).toBe(1)
    expect((await org.post('/undo-jobs', { kind: 'changeSet', id: job.changeSetId })).status).toBe(201)
    await service.drain()
    expect(await recordsOf(org)).toBe(0)
  })

  test('is refused until the job has ended', async () => {
    const org = await service.org()
    for (const job of [await createdJob(org), await queuedJob(org, FILE)]) {
      const refused = await remove(org, job)
      expectError(refused, 'wrong_state')
      expect(refused.body).toMatchObject({ message: expect.stringContaining('cancel it first') })
      await org.post(`/jobs/${job.id}/cancel`)
      expect((await remove(org, job)).status).toBe(200)
    }
  })

  test('is refused while the job runs', async () => {
    const org = await service.org()
    const job = await queuedJob(org, FILE)
    await service.ctx.db.run(sql`update record_jobs set status = 'running' where id = ${job.id}`)
    expectError(await remove(org, job), 'wrong_state')
    expect(await jobOf(org, job)).toMatchObject({ status: 'running' })
  })

  test('needs records:write, or records:read for an export', async () => {
    const org = await service.org()
    const [read, write, none] = [
      await org.keyWith(['records:read']),
      await org.keyWith(['records:write']),
      await org.keyWith(['objects:read']),
    ]
    const [file, imported, other] = [await ended(org, { type: 'export' }), await ended(org), await ended(org)]
    for (const job of [file, imported]) expectError(await remove(org, job, as(none)), 'insufficient_scope')
    expectError(await remove(org, imported, as(read)), 'insufficient_scope')
    expect((await remove(org, file, as(read))).status).toBe(200)
    expect((await remove(org, other, as(write))).status).toBe(200)
  })

  test('is refused for a job of another organization', async () => {
    const org = await service.org()
    const stranger = await service.org()
    const job = await ended(org)
    for (const id of [job.id, 'x']) expectError(await remove(stranger, { id }), 'not_found')
    expect(await jobOf(org, job)).toMatchObject({ id: job.id })
  })
})
