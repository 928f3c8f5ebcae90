// Erasures of jobs of the API: files, settings and results with a value of the record.
import { expect, test } from 'vitest'
import type { PrivacyRequest } from '../../contract/privacy.ts'
import { buildFileService } from '../files/files.fixture.ts'
import {
  createdJob,
  jobOf,
  linesOf,
  queuedJob,
  resultsOf,
  sendPiece,
  work,
} from '../record-jobs/jobs.fixture.ts'
import { workOnJob } from '../record-jobs/jobs.ts'
import { expectError, type Org } from '../test/factories.ts'
import { findMarkers } from './erasure.fixture.ts'
import { workOnErasure } from './jobs.ts'

const service = await buildFileService()
const { ctx } = service
const never = new AbortController().signal
const PEOPLE = '/objects/people/records'
const PERSON = { name: 'Zorblax Quuxley', email: 'zorblax@vextrune.example' }
const LINE = linesOf([{ data: PERSON }])
const OTHER = linesOf([{ data: { name: 'Ada Lovelace' } }])

const erase = async (org: Org, person: string) =>
  (await org.post<PrivacyRequest>(`${PEOPLE}/${person}/erasure`, { confirm: person })).body

const requestOf = async (org: Org, { id }: Pick<PrivacyRequest, 'id'>) =>
  (await org.get<PrivacyRequest>(`/privacy/requests/${id}`)).body

test('removes jobs that contain a value of the record, and keeps other jobs', async () => {
  const org = await service.org()
  const [done, other, waiting] = [
    await queuedJob(org, LINE),
    await queuedJob(org, OTHER),
    await createdJob(org),
  ]
  for (const job of [done, other]) await work({ ...service, ctx }, org, job)
  await sendPiece(org, waiting, LINE, { complete: '?0' })
  const filter = { attributeSlug: 'email', operator: 'equals', value: PERSON.email }
  const update = await createdJob(org, { type: 'update', filter, data: { job_title: 'Engineer' } })
  const written = await createdJob(org, { type: 'export' })
  for (const job of [update, written]) await work({ ...service, ctx }, org, job)
  const { records } = (await org.get<{ records: { id: string; data: object }[] }>(`${PEOPLE}?order=asc`)).body
  const person = records.find(({ data }) => JSON.stringify(data).includes('Zorblax'))?.id ?? ''
  const { id } = await erase(org, person)
  await service.drain()
  expect(await requestOf(org, { id })).toMatchObject({
    state: 'completed',
    counts: { records: 1, imports: 4 },
  })
  expect(await findMarkers(service, org)).toEqual([])
  for (const job of [done, waiting, update, written])
    expectError(await org.get(`/jobs/${job.id}`), 'not_found')
  expect(await jobOf(org, other)).toMatchObject({ status: 'completed' })
})

test('removes only the results of the record, also from a batch with results of others', async () => {
  const org = await service.org()
  const made = async (data: object) => (await org.post<{ id: string }>(PEOPLE, { data })).body.id
  const [other, person] = [await made({ name: 'Ada Lovelace' }), await made(PERSON)]
  const job = await createdJob(org, { type: 'update', filter: null, data: { job_title: 'Engineer' } })
  await workOnJob(ctx, { org: org.org, id: job.id }, never)
  expect(await resultsOf(service, org, job)).toHaveLength(2)
  const { id } = await erase(org, person)
  await service.drain()
  expect(await requestOf(org, { id })).toMatchObject({
    state: 'completed',
    counts: { records: 1, imports: 0, importRows: 1 },
  })
  expect(await resultsOf(service, org, job)).toMatchObject([{ id: other, status: 'updated' }])
})

test('finds values of lists of texts', async () => {
  const org = await service.org()
  const attribute = await org.post('/objects/people/attributes', { name: 'Mails', type: 'list' })
  expect(attribute.status).toBe(201)
  const data = { name: 'Ada', mails: [PERSON.email, 'vip'] }
  const { status, body } = await org.post<{ id: string }>(PEOPLE, { data })
  expect([status, body]).toMatchObject([201, { data: { mails: data.mails } }])
  const waiting = async (title: string) => {
    const job = await createdJob(org)
    await sendPiece(org, job, linesOf([{ data: { name: 'Eve', job_title: title } }]), { complete: '?0' })
    return job
  }
  const [found, kept] = [await waiting(`Assistant of ${PERSON.email}`), await waiting('vip')]
  const { id } = await erase(org, body.id)
  await service.drain()
  expect(await requestOf(org, { id })).toMatchObject({ state: 'completed', counts: { imports: 1 } })
  expectError(await org.get(`/jobs/${found.id}`), 'not_found')
  expect(await jobOf(org, kept)).toMatchObject({ status: 'awaiting_upload' })
  expect(await findMarkers(service, org)).toEqual([])
})

test.each(['latin1', 'utf16le'] as const)(
  'removes tables in %s that contain a value of the record, also incomplete ones',
  async (encoding) => {
    const org = await service.org()
    const mark = encoding === 'latin1' ? '' : '\ufeff'
    const tableOf = (name: string) => Buffer.from(`${mark}name,email\n${name},none\n`, encoding)
    const name = 'Zörblax Quüxley'
    const { body } = await org.post<{ id: string }>(PEOPLE, { data: { name } })
    const waiting = await createdJob(org, { format: 'csv' })
    await sendPiece(org, waiting, tableOf(name), { complete: '?0' })
    const done = await queuedJob(org, tableOf(name), { format: 'csv' })
    const kept = await queuedJob(org, tableOf('Zoë Quüx'), { format: 'csv' })
    for (const job of [done, kept]) await work({ ...service, ctx }, org, job)
    await erase(org, body.id)
    await service.drain()
    for (const job of [done, waiting]) expectError(await org.get(`/jobs/${job.id}`), 'not_found')
    expect(await jobOf(org, kept)).toMatchObject({ status: 'completed', progress: { failed: 1 } })
  },
)

test('waits for a job that would make the record again', async () => {
  const org = await service.org()
  const { body } = await org.post<{ id: string }>(PEOPLE, { data: PERSON })
  const job = await queuedJob(org, LINE)
  const ref = { org: org.org, id: (await erase(org, body.id)).id }
  const working = workOnErasure(ctx, ref, never)
  await expect.poll(async () => (await requestOf(org, ref)).waitsFor).toBe('imports')
  expect((await org.get(`${PEOPLE}/${body.id}`)).status).toBe(200)
  await workOnJob(ctx, { org: org.org, id: job.id }, never)
  await working
  expect(await requestOf(org, ref)).toMatchObject({ state: 'completed', counts: { records: 1, imports: 1 } })
  expect(await findMarkers(service, org)).toEqual([])
})
