// Imports of CSV by jobs: the attribute of each column, and the result of each row.
import { describe, expect, test } from 'vitest'
import type { NewJob } from '../../contract/jobs.ts'
import type { RecordList } from '../../contract/records.ts'
import { expectError, type Org } from '../test/factories.ts'
import { sharedTestService } from '../test/shared-service.ts'
import { createdJob, jobOf, never, queuedJob, resultsOf, sendPiece, smallest, work } from './jobs.fixture.ts'

const service = await sharedTestService()
const PEOPLE = '/objects/people/records'
const CSV = { format: 'csv' as const }

async function run(org: Org, text: string, body: Partial<NewJob> = {}) {
  const job = await queuedJob(org, text, { ...CSV, ...body })
  await work(service, org, job)
  return jobOf(org, job)
}

const people = async (org: Org) =>
  (await org.get<RecordList>(`${PEOPLE}?order=asc`)).body.records.map(({ data }) => data)

describe('an import of CSV', () => {
  test('finds attributes by their slugs and names, and reads quotes over lines', async () => {
    const org = await service.org()
    const text = `\uFEFFname.firstName,name.lastName,Job title,email\nAda,Lovelace,"Analyst,\nfirst of all",ada@example.com\n,,,\nBob,Builder\nEve,,,eve(at)example.com\nJoe,,Author,joe@example.com`
    const job = await run(org, text)
    expect(job).toMatchObject({ status: 'completed', format: 'csv' })
    const results = await resultsOf(service, org, job)
    expect(results.map(({ line, status }) => [line, status])).toEqual([
      [2, 'created'],
      [5, 'failed'],
      [6, 'failed'],
      [7, 'created'],
    ])
    expect(results[1]).toMatchObject({ code: 'validation_error', error: expect.stringContaining('2 cells') })
    expect(results[2]).toMatchObject({ attribute: 'email' })
    expect(job.progress).toMatchObject({ done: 4, total: 4, created: 2, failed: 2 })
    expect(await people(org)).toMatchObject([
      { name: { firstName: 'Ada', lastName: 'Lovelace' }, job_title: 'Analyst,\nfirst of all' },
      { name: { firstName: 'Joe' }, job_title: 'Author' },
    ])
  })

  test('reads a header that names a unique value of a reference', async () => {
    const org = await service.org()
    const text = 'name,company.domain\nAda,acme.com\nBob,acme.com\n'
    expect((await run(org, text, { createMissing: true })).progress).toMatchObject({ created: 2, failed: 0 })
    const { body } = await org.get<RecordList>('/objects/companies/records')
    expect(body.records.map(({ data }) => data['domain'])).toEqual(['acme.com'])
    const job = await createdJob(org, CSV)
    const refused = await sendPiece(org, job, 'name,company.notes\nAda,x\n', { type: 'text/csv' })
    expect(refused.body).toMatchObject({
      details: { errors: [{ path: 'columns.company.notes', code: 'unknown_part' }] },
    })
  })

  test('fills the attributes that the job assigns to columns, and omits others', async () => {
    const org = await service.org()
    const text = 'Wer;Mail;Notizen\nAda;ada@example.com;x\n'
    const columns = { Wer: 'name', Mail: 'email', Notizen: null }
    expect((await run(org, text, { columns })).progress).toMatchObject({ created: 1 })
    expect(await people(org)).toMatchObject([{ name: { firstName: 'Ada' }, email: 'ada@example.com' }])
    const job = await createdJob(org, CSV)
    const refused = await sendPiece(org, job, text, { type: 'text/csv' })
    expectError(refused, 'validation_error')
    expect(refused.body).toMatchObject({ details: { errors: [{ path: 'columns' }] } })
    expect(JSON.stringify(refused.body)).not.toContain('--map')
    expect(await jobOf(org, job)).toMatchObject({ status: 'awaiting_upload' })
    const wrong = await createdJob(org, { ...CSV, columns: { Wer: 'nothing' } })
    expect((await sendPiece(org, wrong, text)).body).toMatchObject({
      details: { errors: [{ path: 'columns.Wer', code: 'unknown_attribute' }] },
    })
  })

  test('updates by a unique attribute, skips rows, and refers to records by their values', async () => {
    const org = await service.org()
    await org.post(PEOPLE, { data: { name: 'Ada', email: 'ada@example.com' } })
    const text =
      'name,email,job_title,company\nAda,ADA@example.com,Countess,Acme\nBob,bob@example.com,Builder,Acme\n'
    const job = await run(org, text, { matchOn: 'email', createMissing: true })
    expect(job.progress).toMatchObject({ created: 1, updated: 1 })
    const companies = (await org.get<RecordList>('/objects/companies/records')).body.records
    expect(companies.map(({ data }) => data['name'])).toEqual(['Acme'])
    expect(await people(org)).toMatchObject([
      { job_title: 'Countess', company: companies[0]?.id },
      { job_title: 'Builder', company: companies[0]?.id },
    ])
    const unknown = 'name,email,company\nEve,eve@example.com,Elsewhere\nAda,ada@example.com,Acme\n'
    const skipping = await run(org, unknown, { matchOn: 'email', duplicates: 'skip' })
    expect(skipping.progress).toMatchObject({ created: 0, skipped: 1, failed: 1 })
    expect(await resultsOf(service, org, skipping, 'failed')).toMatchObject([
      { line: 2, attribute: 'company', error: expect.stringContaining('Elsewhere') },
    ])
  })

  test('lets rows refer to people of later rows, if rows are matched on the referenced value', async () => {
    const org = await service.org()
    const { body } = await org.get('/objects/people')
    const config = { allowed_object_id: body['id'] }
    await org.post('/objects/people/attributes', { name: 'Boss', type: 'reference', config })
    const text = 'name,email,boss\nAda,ada@example.com,bob@example.com\nBob,bob@example.com,\n'
    const columns = { boss: 'boss.email' }
    const job = await run(org, text, { matchOn: 'email', createMissing: true, columns })
    expect(job.progress).toMatchObject({ failed: 0, done: 2 })
    const { records } = (await org.get<RecordList>(PEOPLE)).body
    const boss = records.find(({ data }) => data['email'] === 'bob@example.com')
    expect(records).toHaveLength(2)
    expect(boss?.data).toMatchObject({ name: { firstName: 'Bob' } })
    expect(records.find(({ id }) => id !== boss?.id)?.data).toMatchObject({ boss: boss?.id })
  })

  test('writes each row once if a worker stops and two others continue', async () => {
    const org = await service.org()
    const names = Array.from({ length: 12 }, (_, nr) => `Person ${nr}`)
    const job = await queuedJob(org, `name\n${names.join('\n')}\n`, CSV)
    const stop = new AbortController()
    let batches = 0
    const size = { rows: 2, took: () => void (++batches === 2 && stop.abort(new Error('killed'))) }
    await expect(work(service, org, job, stop.signal, size)).rejects.toThrow('killed')
    expect(await jobOf(org, job)).toMatchObject({ status: 'running', progress: { done: 4 } })
    await Promise.all([work(service, org, job), work(service, org, job, never, smallest())])
    expect(await jobOf(org, job)).toMatchObject({
      status: 'completed',
      progress: { done: 12, total: 12, created: 12 },
    })
    expect(await people(org)).toHaveLength(12)
    const lines = (await resultsOf(service, org, job)).map(({ line }) => line)
    expect(lines).toEqual(names.map((_, nr) => nr + 2))
  })

  test('writes nothing after a cancellation, and accepts columns only for CSV', async () => {
    const org = await service.org()
    const job = await queuedJob(org, 'name\nAda\nBob\n', CSV)
    await org.post(`/jobs/${job.id}/cancel`)
    await work(service, org, job)
    expect(await people(org)).toEqual([])
    expectError(
      await org.post('/jobs', { type: 'import', objectId: 'people', columns: {} }),
      'validation_error',
    )
  })
})
