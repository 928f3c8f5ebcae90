// Helpers for the tests of jobs.
import { expect } from 'vitest'
import type { JobResult, JobResultStatus } from '../../contract/job-results.ts'
import type { Job, JobUpload, NewJob } from '../../contract/jobs.ts'
import { createBatchSize } from '../jobs/batch-size.ts'
import type { Org } from '../test/factories.ts'
import type { SharedService } from '../test/shared-service.ts'
import { workOnJob } from './jobs.ts'

export const never = new AbortController().signal
export const smallest = () => createBatchSize({ first: 1, min: 1, max: 1, ms: 1 })

export const linesOf = (rows: readonly object[]): string =>
  rows.map((row) => `${JSON.stringify(row)}\n`).join('')

export const sendPiece = (
  org: Org,
  { id }: Pick<Job, 'id'>,
  text: string | Buffer,
  { offset = 0, complete = '?1', type = 'application/x-ndjson' } = {},
) =>
  org.patch<JobUpload>(`/jobs/${id}/content`, text, {
    'content-type': type,
    'upload-offset': String(offset),
    'upload-complete': complete,
  })

export async function createdJob(org: Org, body: Partial<NewJob> = {}): Promise<Job> {
  const reply = await org.post<Job>('/jobs', { type: 'import', objectId: 'people', ...body })
  expect([reply.status, reply.body]).toMatchObject([201, { progress: { done: 0 } }])
  return reply.body
}

/** Creates a job and uploads its file. */
export async function queuedJob(org: Org, text: string | Buffer, body: Partial<NewJob> = {}): Promise<Job> {
  const job = await createdJob(org, body)
  expect((await sendPiece(org, job, text)).body).toMatchObject({ isComplete: true })
  return job
}

export const work = ({ ctx }: SharedService, { org }: Org, { id }: Job, signal = never, size = smallest()) =>
  workOnJob(ctx, { org, id }, signal, size)

export const jobOf = async (org: Org, { id }: Pick<Job, 'id'>) => (await org.get<Job>(`/jobs/${id}`)).body

export async function resultsOf(
  { inject }: SharedService,
  org: Org,
  { id }: Pick<Job, 'id'>,
  status?: JobResultStatus,
): Promise<JobResult[]> {
  const response = await inject({
    url: `/api/v1/jobs/${id}/results${status === undefined ? '' : `?status=${status}`}`,
    headers: { authorization: `Bearer ${org.key}` },
  })
  expect([response.statusCode, response.headers['content-type']]).toEqual([
    200,
    'application/x-ndjson; charset=utf-8',
  ])
  return response.payload
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as JobResult)
}
