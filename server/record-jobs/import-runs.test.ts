// Imports of the dashboard run as jobs of the API.
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import type { ImportCheck } from '../../contract/imports.ts'
import type { Job, JobList } from '../../contract/jobs.ts'
import type { StartedUndoJob } from '../../contract/undo-jobs.ts'
import { checked, get, imported, mapping, post } from '../imports/imports.fixture.ts'
import { buildTestService } from '../test/build-app.ts'
import { expectError, type Org } from '../test/factories.ts'
import { makeEarlierRun } from './earlier-run.fixture.ts'
import { jobOf, never, resultsOf, sendPiece, work } from './jobs.fixture.ts'

const service = await buildTestService({ jobMaxBytes: 10 })

const PEOPLE = {
  text: 'Name,Note,Email\nAda,x,ada@example.com\nBo,y,nowhere\n',
  mapping: mapping('name', '', 'email'),
}
const ROWS = 12
const MANY = {
  text: ['Name', ...Array.from({ length: ROWS }, (_, nr) => `P ${nr}`)].join('\n'),
  mapping: mapping('name'),
}

async function started(options: ImportCheck & { text: string }) {
  const org = await service.org()
  const member = await org.member('member')
  const file = await checked(service, member, options)
  await post(member, file, 'run')
  return { org, member, file, job: await jobOf(org, file) }
}

const namesIn = async (org: Org) =>
  service.ctx.db.many<{ name: string }>(sql`
    select trim(concat_ws(' ', r.data->'name'->>'firstName', r.data->'name'->>'lastName')) as name from records r
    join objects o on o.org = r.org and o.obj = r.obj where r.org = ${org.org} and o.slug = 'people' order by r.id`)

/** Runs the job for five rows. */
async function workOnSome(org: Org, job: Job): Promise<void> {
  const stop = new AbortController()
  const size = { rows: 5, took: () => stop.abort(new Error('stopped')) }
  await expect(work(service, org, job, stop.signal, size)).rejects.toThrow('stopped')
}

test('an import is listed as a job, with its progress and the result of each row', async () => {
  const org = await service.org()
  const member = await org.member('member')
  const file = await imported(service, member, PEOPLE)
  const job = await jobOf(org, file)
  expect(job).toMatchObject({
    ...{ id: file.id, changeSetId: file.id, type: 'import', status: 'completed', format: 'csv' },
    reading: { encoding: 'utf-8', delimiter: ',', dates: 'ymd', decimal: '.', emptyCells: 'keep' },
    ...{ matchOn: null, duplicates: null, duplicateRules: false, createMissing: false, error: null },
    progress: { done: 2, total: 2, created: 1, failed: 1 },
    createdBy: { id: member.userId },
    ...{ startedAt: expect.any(String), completedAt: expect.any(String) },
  })
  expect((await org.get<JobList>('/jobs')).body.jobs).toEqual([job])
  expect(await resultsOf(service, org, job)).toEqual([
    { line: 2, id: expect.any(String), status: 'created' },
    expect.objectContaining({
      line: 3,
      id: null,
      status: 'failed',
      code: 'validation_error',
      attribute: 'email',
    }),
  ])
  expectError(await sendPiece(org, job, 'x', { type: 'text/csv' }), 'wrong_state')
  expect(file).toMatchObject({ state: 'completed', progress: { rows: 2, created: 1, failed: 1 } })
})

test('the job shows the settings of the import, without values that only the import has', async () => {
  const org = await service.org()
  const member = await org.member('member')
  await org.post('/objects/people/records', { data: { name: 'Ada', email: 'ada@example.com' } })
  const file = await imported(service, member, {
    text: 'Name;Email;Company;Closes\nAda;ada@example.com;Acme;x\nBo;bo@example.com;Acme;y\n',
    mapping: mapping('name', 'email', 'company').map((one) =>
      one.attributeSlug === 'company' ? { ...one, onProblem: 'create' as const } : one,
    ),
    ...{ matchOn: 'email', duplicates: 'skip', empty: 'clear', format: { dates: 'dmy', decimal: ',' } },
    fixedValues: [{ attributeSlug: 'job_title', value: 'Analyst' }],
    replacements: [{ index: 0, value: 'Bo', with: 'Bob' }],
  })
  const job = await jobOf(org, file)
  expect(job).toMatchObject({
    reading: { delimiter: ';', dates: 'dmy', decimal: ',', emptyCells: 'clear' },
    ...{ matchOn: 'email', duplicates: 'skip', duplicateRules: true, createMissing: true },
    progress: { done: 2, created: 1, skipped: 1 },
  })
  const results = await resultsOf(service, org, job)
  expect(results.map(({ line, status }) => [line, status])).toEqual([
    [2, 'skipped'],
    [3, 'created'],
  ])
  expect(file).toMatchObject({
    progress: { rows: 2, created: 1, skipped: 1 },
    skippedRows: [{ line: 2, recordId: results[0]?.id }],
    related: [{ created: 1, names: ['Acme'] }],
  })
  expect(await namesIn(org)).toEqual([{ name: 'Ada' }, { name: 'Bob' }])
  const kept = await service.ctx.db.value<string>(
    sql`select settings::text from record_jobs where org = ${org.org} and id = ${file.id}`,
  )
  expect(kept).not.toMatch(/Analyst|Bob/)
})

test('an import can be cancelled as a job', async () => {
  const { org, member, file, job } = await started(MANY)
  expect(job).toMatchObject({ status: 'queued', progress: { done: 0, total: ROWS } })
  await workOnSome(org, job)
  expect(await get(member, file)).toMatchObject({ state: 'running', progress: { rows: 5, created: 5 } })
  const { body } = await org.post<Job>(`/jobs/${job.id}/cancel`)
  expect(body).toMatchObject({ status: 'cancelled', progress: { done: 5 } })
  expect(await get(member, file)).toMatchObject({
    ...{ state: 'cancelled', progress: { rows: 5 }, undo: 'possible', error: null },
    finishedAt: expect.any(String),
  })
  await service.drain()
  expect(await namesIn(org)).toHaveLength(5)
  expectError(await member.post(`/imports/${file.id}/cancel`), 'wrong_state')
})

test('cancelling an import in the dashboard cancels its job', async () => {
  const { org, member, file, job } = await started(MANY)
  await workOnSome(org, job)
  expect(await post(member, file, 'cancel')).toMatchObject({ state: 'cancelled', progress: { rows: 5 } })
  expect(await jobOf(org, job)).toMatchObject({ status: 'cancelled', completedAt: expect.any(String) })
  await service.drain()
  expect(await namesIn(org)).toHaveLength(5)
})

test('an import can be undone as a job, and in the dashboard', async () => {
  const byJob = await started(MANY)
  await service.drain()
  const { changeSetId } = await jobOf(byJob.org, byJob.file)
  const undoing = await byJob.org.post<StartedUndoJob>('/undo-jobs', { kind: 'changeSet', id: changeSetId })
  expect(undoing.status).toBe(201)
  await service.drain()
  expect(await namesIn(byJob.org)).toEqual([])
  expect(await get(byJob.member, byJob.file)).toMatchObject({ state: 'completed', undo: 'undone' })

  const byDashboard = await started(MANY)
  await service.drain()
  expect((await byDashboard.member.post(`/imports/${byDashboard.file.id}/undo`)).body).toMatchObject({
    batchesLeft: 0,
  })
  expect(await namesIn(byDashboard.org)).toEqual([])
  expectError(
    await byDashboard.org.post('/undo-jobs', { kind: 'changeSet', id: byDashboard.file.id }),
    'wrong_state',
  )
})

test('other organizations, and keys without the scope, cannot read the job', async () => {
  const { org, member, file, job } = await started(MANY)
  const stranger = await service.org()
  expectError(await stranger.get(`/jobs/${job.id}`), 'not_found')
  expectError(await stranger.get(`/jobs/${job.id}/results`), 'not_found')
  expectError(await stranger.post(`/jobs/${job.id}/cancel`), 'not_found')
  expect((await stranger.get<JobList>('/jobs')).body.jobs).toEqual([])
  const [none, reading] = [await org.keyWith(['objects:read']), await org.keyWith(['records:read'])]
  const as = (key: string) => ({ authorization: `Bearer ${key}` })
  expectError(await org.get('/jobs', as(none)), 'insufficient_scope')
  expectError(await org.get(`/jobs/${job.id}`, as(none)), 'insufficient_scope')
  expectError(await org.post(`/jobs/${job.id}/cancel`, undefined, as(reading)), 'insufficient_scope')
  expect(await get(member, file)).toMatchObject({ state: 'running' })
})

test('the job is deleted with its import, and its changes can still be undone', async () => {
  const { org, member, file } = await started(MANY)
  await service.drain()
  expect((await member.delete(`/imports/${file.id}`)).status).toBe(200)
  expectError(await org.get(`/jobs/${file.id}`), 'not_found')
  expect((await org.get<JobList>('/jobs')).body.jobs).toEqual([])
  await org.post<StartedUndoJob>('/undo-jobs', { kind: 'changeSet', id: file.id })
  await service.drain()
  expect(await namesIn(org)).toEqual([])
})

test('the import is deleted with its job', async () => {
  const { org, member, file, job } = await started(MANY)
  expectError(await org.delete(`/jobs/${job.id}`), 'wrong_state')
  await service.drain()
  expect((await org.delete(`/jobs/${job.id}`)).status).toBe(200)
  expectError(await member.get(`/imports/${file.id}`), 'not_found')
})

test('an import does not wait for a job of the API of its organization', async () => {
  const { org, member, file } = await started(MANY)
  const { body: job } = await org.post<Job>('/jobs', { type: 'export', objectId: 'people', format: 'csv' })
  const kinds = await service.ctx.db.many<{ name: string; id: string }>(sql`
    select name, data->>'id' as id from pgboss.job where data->>'id' in (${file.id}, ${job.id}) and state = 'created'`)
  expect(kinds.find(({ id }) => id === file.id)?.name).toBe('imports.work')
  expect(kinds.find(({ id }) => id === job.id)?.name).toBe('record-jobs.work')
  await service.drain()
  expect(await get(member, file)).toMatchObject({ state: 'completed' })
})

const NO_OBJECT = expect.stringMatching(/^No such object/)

/** Starts an import into a custom object, which can be deleted. */
async function startedInBoxes() {
  const org = await service.org()
  const member = await org.member('member')
  await org.post('/objects', { singularName: 'Box', pluralName: 'Boxes' })
  await org.post('/objects/boxes/attributes', { name: 'Name', type: 'text' })
  const path = '/objects/boxes/imports?fileName=boxes.csv'
  const file = await checked(service, member, { ...MANY, path })
  await post(member, file, 'run')
  return { org, member, file }
}

const notesOf = (org: Org, file: { id: string }) =>
  service.ctx.db.many<{ user: string; note: string | null }>(sql`
    select user_id as user, note from notifications where org = ${org.org} and kind = 'import' and subject = ${file.id}`)

test('the end of an import notifies the member who started it, but a cancellation does not', async () => {
  const completed = await started(MANY)
  await service.drain()
  expect(await notesOf(completed.org, completed.file)).toEqual([
    { user: completed.member.userId, note: null },
  ])

  const failed = await startedInBoxes()
  await failed.org.delete('/objects/boxes')
  await service.drain()
  expect(await notesOf(failed.org, failed.file)).toEqual([{ user: failed.member.userId, note: NO_OBJECT }])

  const cancelled = await started(MANY)
  await post(cancelled.member, cancelled.file, 'cancel')
  await service.drain()
  expect(await notesOf(cancelled.org, cancelled.file)).toEqual([])
})

test('a run of an earlier version fails if its object has been deleted', async () => {
  const { org, file } = await startedInBoxes()
  await makeEarlierRun(service, { org: org.org, id: file.id })
  expect((await org.delete('/objects/boxes')).status).toBe(200)
  await service.drain()
  const ended = await service.ctx.db.one(
    sql`select state, error from imports where org = ${org.org} and id = ${file.id}`,
  )
  expect(ended).toEqual({ state: 'failed', error: NO_OBJECT })
})

test('a run of an earlier version is continued as a job, from the point where its worker stopped', async () => {
  const { org, member, file } = await started(MANY)
  await workOnSome(org, await jobOf(org, file))
  const ref = { org: org.org, id: file.id }
  await makeEarlierRun(service, ref)
  const generationOf = () =>
    service.ctx.db.value<number>(
      sql`select generation from imports where org = ${ref.org} and id = ${ref.id}`,
    )
  const before = await generationOf()
  expect(await get(member, file)).toMatchObject({ state: 'running', progress: { rows: 5 } })
  await service.drain()
  // A worker of the earlier version continues only with this generation.
  expect(await generationOf()).toBe(before + 1)
  expect(await get(member, file)).toMatchObject({
    state: 'completed',
    progress: { rows: ROWS, created: ROWS, failed: 0 },
  })
  expect(await jobOf(org, file)).toMatchObject({
    status: 'completed',
    progress: { done: ROWS, total: ROWS, created: ROWS },
  })
  expect(new Set((await namesIn(org)).map(({ name }) => name)).size).toBe(ROWS)
  expect(await namesIn(org)).toHaveLength(ROWS)
})

test('a run that an earlier version cancelled writes nothing more as a job', async () => {
  const { org, member, file, job } = await started(MANY)
  // The state after a cancellation that began before the job existed.
  await service.ctx.db.run(
    sql`update imports set state = 'cancelled', finished_at = now() where org = ${org.org} and id = ${file.id}`,
  )
  await work(service, org, job, never)
  expect(await jobOf(org, job)).toMatchObject({ status: 'cancelled', progress: { done: 0 } })
  expect(await get(member, file)).toMatchObject({ state: 'cancelled' })
  expect(await namesIn(org)).toEqual([])
})
