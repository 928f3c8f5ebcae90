// Exports with `sort`: the order of their files is that of a search, and each record is in them once.
import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import type { Job, NewJob } from '../../contract/jobs.ts'
import type { CrmRecord, RecordList } from '../../contract/records.ts'
import type { SearchSort } from '../../contract/sorts.ts'
import { batchesOf } from '../jobs/batch-size.fixture.ts'
import { indexEmptyObject } from '../records/engine/indexed.fixture.ts'
import { expectError, type Org } from '../test/factories.ts'
import { sharedTestService } from '../test/shared-service.ts'
import { createdJob, jobOf, never, smallest, work } from './jobs.fixture.ts'

const service = await sharedTestService()
const PEOPLE = '/objects/people/records'
const TITLES = ['Author', undefined, 'Engineer', 'author', 'Analyst', undefined, 'Engineer']

async function withPeople({ isIndexed = false } = {}): Promise<Org> {
  const org = await service.org()
  if (isIndexed) {
    const { body } = await org.get<{ id: string }>('/objects/people')
    await indexEmptyObject(service.ctx.db, body.id, { texts: 'values', keepsMissing: true })
  }
  const records = TITLES.map((title, nr) => ({
    data: { name: `P ${'cabacab'[nr]}`, email: `p${nr}@example.com`, ...(title && { job_title: title }) },
  }))
  await org.post(`${PEOPLE}/bulk`, { records })
  return org
}

const fileOf = async ({ key }: Org, { id }: Job): Promise<string> =>
  (await service.inject({ url: `/api/v1/jobs/${id}/file`, headers: { authorization: `Bearer ${key}` } }))
    .payload

const linesIn = (text: string) => text.trim().split('\n')

const idsIn = (text: string): string[] => linesIn(text).map((line) => (JSON.parse(line) as CrmRecord).id)

const sortedJob = (org: Org, sort: SearchSort, body: Partial<NewJob> = {}) =>
  createdJob(org, { type: 'export', sort, ...body })

async function exported(org: Org, sort: SearchSort, body: Partial<NewJob> = {}, size = smallest()) {
  const job = await sortedJob(org, sort, body)
  await work(service, org, job, never, size)
  expect(await jobOf(org, job)).toMatchObject({ status: 'completed' })
  return fileOf(org, job)
}

const searched = async (org: Org, sort: SearchSort, more = {}): Promise<string[]> =>
  (await org.post<RecordList>(`${PEOPLE}/search`, { sort, limit: 100, ...more })).body.records.map(
    ({ id }) => id,
  )

const byTitle = { field: 'job_title', order: 'asc' } as const
const byName = { field: 'name.lastName', order: 'desc' } as const

describe('an export with sort', () => {
  test.each<[string, SearchSort]>([
    ['one attribute', byTitle],
    ['a part of an attribute, in the default order', { field: 'name.lastName' }],
    ['two attributes', [byTitle, byName]],
    ['three', [byName, byTitle, { field: 'email', order: 'asc' }]],
    ['the time of the last change', { field: 'updated_at', order: 'asc' }],
    ['the time of creation', [{ field: 'created_at', order: 'desc' }]],
  ])('by %s has the order of a search in batches of any size', async (_, sort) => {
    const org = await withPeople()
    const expected = await searched(org, sort)
    expect(expected).toHaveLength(TITLES.length)
    for (const rows of [1, 3, 100])
      expect(idsIn(await exported(org, sort, {}, batchesOf(rows)))).toEqual(expected)
  })

  test.each<[string, SearchSort]>([
    ['one attribute', byTitle],
    ['two attributes', [byTitle, byName]],
    ['the time of the last change', { field: 'updated_at' }],
  ])('of an object with an index by %s has the order of a search', async (_, sort) => {
    const org = await withPeople({ isIndexed: true })
    const expected = await searched(org, sort)
    expect(expected).toHaveLength(TITLES.length)
    for (const rows of [1, 3]) expect(idsIn(await exported(org, sort, {}, batchesOf(rows)))).toEqual(expected)
  })

  test('has the matching records and attributes, also as a table', async () => {
    const org = await withPeople()
    const filter = { attributeSlug: 'job_title', operator: 'equals', value: 'Engineer' }
    const sort = { field: 'email', order: 'desc' } as const
    const body = { filter, fields: ['job_title'] }
    const found = linesIn(await exported(org, sort, body)).map((line) => JSON.parse(line) as CrmRecord)
    expect(found.map(({ id }) => id)).toEqual(await searched(org, sort, { filter }))
    expect(found.map(({ data }) => data)).toEqual([{ job_title: 'Engineer' }, { job_title: 'Engineer' }])
    const [head, ...rows] = linesIn(await exported(org, sort, { ...body, format: 'csv' }))
    expect(head).toBe('id,job_title,createdAt,updatedAt')
    expect(rows.map((row) => row.slice(0, row.indexOf(',')))).toEqual(found.map(({ id }) => id))
  })

  test('continues after a worker was stopped, and has each record once', async () => {
    const org = await withPeople()
    const job = await sortedJob(org, [byTitle, byName])
    const stop = new AbortController()
    let batches = 0
    const size = { rows: 2, took: () => void (++batches === 3 && stop.abort(new Error('killed'))) }
    await expect(work(service, org, job, stop.signal, size)).rejects.toThrow('killed')
    expect(await jobOf(org, job)).toMatchObject({ status: 'running', progress: { exported: 4, total: 7 } })
    await Promise.all([work(service, org, job), work(service, org, job, never)])
    expect(idsIn(await fileOf(org, job))).toEqual(await searched(org, [byTitle, byName]))
    expect(await jobOf(org, job)).toMatchObject({ status: 'completed', progress: { done: 7, exported: 7 } })
  })

  test('keeps no value of a record after a cancellation', async () => {
    const org = await withPeople()
    const job = await sortedJob(org, byTitle)
    const stop = new AbortController()
    let batches = 0
    const size = { rows: 2, took: () => void (++batches === 2 && stop.abort(new Error('killed'))) }
    const settings = () =>
      service.ctx.db.value<object>(sql`select settings from record_jobs where id = ${job.id}`)
    await expect(work(service, org, job, stop.signal, size)).rejects.toThrow('killed')
    expect(await settings()).toHaveProperty('after.key')
    await org.post(`/jobs/${job.id}/cancel`)
    expect(await settings()).not.toHaveProperty('after')
  })

  test('has no records that were created after the job', async () => {
    const org = await withPeople()
    const before = await searched(org, byTitle)
    const job = await sortedJob(org, byTitle)
    await org.post(PEOPLE, { data: { name: 'Later', job_title: 'Analyst' } })
    await service.drain()
    expect(await jobOf(org, job)).toMatchObject({ status: 'completed' })
    expect(idsIn(await fileOf(org, job))).toEqual(before)
  })

  test('of no records is a file without records', async () => {
    expect(await exported(await service.org(), byTitle)).toBe('')
  })

  test.each<[string, unknown, string]>([
    ['an unknown attribute', { field: 'job_titel' }, 'sort.field'],
    ['an unknown attribute among several', [byTitle, { field: 'nope' }], 'sort[1].field'],
    ['an attribute twice', [byTitle, byTitle], 'sort[1].field'],
    ['a list', { field: 'tags' }, 'sort.field'],
  ])('is refused with %s', async (_, sort, path) => {
    const org = await service.org()
    const refused = await org.post('/jobs', { type: 'export', objectId: 'people', sort })
    expectError(refused, 'validation_error')
    expect(refused.body).toMatchObject({ details: { errors: [{ path }] } })
  })

  test('is refused with four sorts, without the scope, and for other types', async () => {
    const org = await service.org()
    const four = ['name', 'email', 'job_title', 'phone'].map((field) => ({ field }))
    const asked = { type: 'export', objectId: 'people', sort: four }
    expectError(await org.post('/jobs', asked), 'validation_error')
    expectError(await org.post('/jobs', { ...asked, type: 'import', sort: byTitle }), 'validation_error')
    const writer = await service.org({ scopes: ['records:write'] })
    expectError(await writer.post('/jobs', { ...asked, sort: byTitle }), 'insufficient_scope')
  })
})
