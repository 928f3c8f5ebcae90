// Uploads of the files of jobs: in pieces, interrupted and resumed.
import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import type { JobUpload } from '../../contract/jobs.ts'
import type { RecordList } from '../../contract/records.ts'
import { buildTestService } from '../test/build-app.ts'
import { expectError } from '../test/factories.ts'
import { createdJob, jobOf, linesOf, never, resultsOf, sendPiece, work } from './jobs.fixture.ts'

const service = await buildTestService({ jobMaxBytes: 400_000 })
const text = linesOf(['Ada', 'Bob', 'Eve'].map((name) => ({ data: { name } })))

describe('PATCH /jobs/:jobId/content', () => {
  test('accepts a file in pieces of any size, and starts the job with the last piece', async () => {
    const org = await service.org()
    const job = await createdJob(org)
    const cut = text.indexOf('Bob') + 1
    const first = await sendPiece(org, job, text.slice(0, cut), { complete: '?0' })
    expect([first.status, first.body]).toEqual([200, { offset: cut, isComplete: false, maxBytes: 400_000 }])
    expect(first.headers).toMatchObject({ 'upload-offset': String(cut), 'upload-complete': '?0' })
    expect(await jobOf(org, job)).toMatchObject({ status: 'awaiting_upload', progress: { total: null } })
    const last = await sendPiece(org, job, text.slice(cut), { offset: cut })
    expect(last.body).toMatchObject({ offset: text.length, isComplete: true })
    expect(await jobOf(org, job)).toMatchObject({ status: 'queued', progress: { total: 3 } })
    await work(service, org, job)
    expect((await resultsOf(service, org, job)).map(({ status }) => status)).toEqual(
      Array.from({ length: 3 }, () => 'created'),
    )
  })

  test('stores a large piece in small chunks, and imports all of its rows in small batches', async () => {
    const org = await service.org()
    const rows = Array.from({ length: 40 }, (_, nr) => ({ data: { name: `Zoë ${nr}${'é'.repeat(2000)}` } }))
    const job = await createdJob(org)
    await sendPiece(org, job, linesOf(rows))
    const { largest, bytes } = await service.ctx.db.one<{ largest: number; bytes: number }>(sql`
      select max(length(bytes))::int as largest, sum(length(bytes))::int as bytes from record_job_chunks where org = ${org.org}`)
    expect({ largest, bytes }).toEqual({ largest: 64 * 1024, bytes: Buffer.byteLength(linesOf(rows)) })
    await work(service, org, job, never, { rows: 3, took: () => undefined })
    const { records } = (await org.get<RecordList>('/objects/people/records?order=asc&limit=100')).body
    expect(records.map(({ data }) => data['name'])).toMatchObject(
      rows.map((_, nr) => ({ firstName: 'Zoë', lastName: `${nr}${'é'.repeat(2000)}` })),
    )
  })

  test('returns the offset of the next piece', async () => {
    const org = await service.org()
    const job = await createdJob(org)
    await sendPiece(org, job, text, { complete: '?0' })
    const { body, headers } = await org.get<JobUpload>(`/jobs/${job.id}/content`)
    expect(body).toMatchObject({ offset: text.length, isComplete: false })
    expect(headers['upload-offset']).toBe(String(text.length))
    const head = await service.inject({
      method: 'HEAD',
      url: `/api/v1/jobs/${job.id}/content`,
      headers: { authorization: `Bearer ${org.key}` },
    })
    expect(head.headers).toMatchObject({ 'upload-offset': String(text.length), 'upload-complete': '?0' })
    for (const offset of [0, text.length - 1, text.length + 1]) {
      const refused = await sendPiece(org, job, text, { offset })
      expectError(refused, 'wrong_offset')
      expect(refused.body).toMatchObject({ details: { offset: text.length } })
    }
    expect((await sendPiece(org, job, '', { offset: text.length })).body).toMatchObject({ isComplete: true })
  })

  test('accepts no pieces after the file is complete or the job is cancelled', async () => {
    const org = await service.org()
    const [done, cancelled] = [await createdJob(org), await createdJob(org)]
    await sendPiece(org, done, text)
    await org.post(`/jobs/${cancelled.id}/cancel`)
    expectError(await sendPiece(org, done, text, { offset: text.length }), 'wrong_state')
    expectError(await sendPiece(org, cancelled, text), 'wrong_state')
  })

  test('refuses an empty file, a file that is too large, another media type, and invalid headers', async () => {
    const org = await service.org()
    const job = await createdJob(org)
    expectError(await sendPiece(org, job, ''), 'validation_error')
    expectError(await sendPiece(org, job, text, { type: 'application/json' }), 'unsupported_media_type')
    expectError(await sendPiece(org, job, text, { complete: '1' }), 'invalid_parameter')
    const headers = { 'content-type': 'application/x-ndjson', 'upload-complete': '?1' }
    for (const more of [{}, { 'upload-offset': '-1' }, { 'upload-offset': '0', 'idempotency-key': 'one' }])
      expectError(
        await org.patch(`/jobs/${job.id}/content`, text, { ...headers, ...more }),
        'invalid_parameter',
      )
    expect((await org.get(`/jobs/${job.id}/content`)).body).toMatchObject({ offset: 0 })
    const large = await sendPiece(org, job, 'x'.repeat(500_000))
    expectError(large, 'payload_too_large')
    expect((await org.get<JobUpload>(`/jobs/${job.id}/content`)).body.offset).toBeLessThanOrEqual(400_000)
  })
})
