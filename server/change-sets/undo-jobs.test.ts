// Undo jobs over HTTP: what each kind of source undoes, what is kept, and how a job ends.
import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import type { CrmRecord } from '../../contract/records.ts'
import type { StartedUndoJob, UndoJob, UndoJobConflict } from '../../contract/undo-jobs.ts'
import { newId, newIdAt } from '../base/id.ts'
import { imported, mapping } from '../imports/imports.fixture.ts'
import { createBatchSize } from '../jobs/batch-size.ts'
import { buildTestService } from '../test/build-app.ts'
import { bodyOf, expectError, type Org } from '../test/factories.ts'
import { forgetUndoJobs, workOnUndo } from './jobs.ts'

const service = await buildTestService()
const { ctx } = service
const PEOPLE = '/objects/people/records'
const COMPANIES = '/objects/companies/records'
const never = new AbortController().signal
const smallest = () => createBatchSize({ first: 1, min: 1, max: 1, ms: 1 })

const inSet = (changeSetId: string) => ({ 'rapport-change-set': changeSetId })

const make = async (org: Org, path: string, data: object, headers = {}): Promise<CrmRecord> =>
  bodyOf(await org.post<CrmRecord>(path, { data }, headers), 201)

const read = (org: Org, path: string, { id }: Pick<CrmRecord, 'id'>) => org.get<CrmRecord>(`${path}/${id}`)

async function start(org: Org, body: object, query = ''): Promise<StartedUndoJob> {
  const reply = await org.post<StartedUndoJob>(`/undo-jobs${query}`, body)
  expect([reply.status, reply.body]).toMatchObject([201, { status: 'queued' }])
  return reply.body
}

const work = ({ org }: Org, { id }: Pick<StartedUndoJob, 'id'>, signal = never, size = smallest()) =>
  workOnUndo(ctx, { org, id: String(id) }, signal, size)

const jobOf = async (org: Org, { id }: Pick<StartedUndoJob, 'id'>) =>
  (await org.get<UndoJob>(`/undo-jobs/${id}`)).body

const conflictsOf = async (org: Org, { id }: Pick<StartedUndoJob, 'id'>) =>
  (await org.get<{ conflicts: UndoJobConflict[] }>(`/undo-jobs/${id}/conflicts`)).body.conflicts

async function undo(org: Org, body: object): Promise<UndoJob> {
  const job = await start(org, body)
  await work(org, job)
  return jobOf(org, job)
}

/** Creates a company, links a person to it, and deletes another company, in one set. */
async function buildSet(org: Org) {
  const [ada, old] = [
    await make(org, PEOPLE, { name: 'Ada', job_title: 'Analyst' }),
    await make(org, COMPANIES, { name: 'Old' }),
  ]
  await org.patch(`${PEOPLE}/${ada.id}`, { data: { company: old.id } })
  const set = newId()
  const acme = await make(org, COMPANIES, { name: 'Acme' }, inSet(set))
  await org.patch(`${PEOPLE}/${ada.id}`, { data: { company: acme.id, job_title: 'Author' } }, inSet(set))
  await org.delete(`${COMPANIES}/${old.id}`, undefined, inSet(set))
  return { set, ada, acme, old }
}

describe('POST /undo-jobs', () => {
  test('pauses after a batch when its turn is over, and continues later', async () => {
    const org = await service.org()
    const { set } = await buildSet(org)
    const job = await start(org, { kind: 'changeSet', id: set })
    await workOnUndo(ctx, { org: org.org, id: String(job.id) }, never, smallest(), async () => false)
    expect(await jobOf(org, job)).toMatchObject({ status: 'running', done: 1, total: 3 })
    await work(org, job)
    expect(await jobOf(org, job)).toMatchObject({ status: 'completed', done: 3 })
  })

  test('previews conflicts of a large set of single requests, and undoes the set in batches', async () => {
    const org = await service.org()
    const set = newId()
    const made: CrmRecord[] = []
    for (let nr = 0; nr < 120; nr++) made.push(await make(org, COMPANIES, { name: `C ${nr}` }, inSet(set)))
    await org.patch(`${COMPANIES}/${made[0]?.id}`, { data: { name: 'Changed since' } })
    const preview = await start(org, { kind: 'changeSet', id: set }, '?dryRun=true')
    expect(preview).toMatchObject({ total: 120, conflicts: [{ recordId: made[0]?.id }] })
    const job = await start(org, { kind: 'changeSet', id: set })
    await work(org, job, never, createBatchSize({ first: 50, min: 50, max: 50, ms: 1 }))
    expect(await jobOf(org, job)).toMatchObject({ status: 'completed', done: 120, trashed: 119 })
  })

  test('undoes single requests across objects, last first', async () => {
    const org = await service.org()
    const { set, ada, acme, old } = await buildSet(org)
    const job = await undo(org, { kind: 'changeSet', id: set })
    expect(job).toMatchObject({
      kind: 'changeSet',
      sourceId: set,
      status: 'completed',
      ...{ created: 1, updated: 1, deleted: 1, total: 3, done: 3 },
      ...{ restored: 1, trashed: 1, returned: 1, conflictCount: 0, error: null },
    })
    expect((await read(org, PEOPLE, ada)).body.data).toMatchObject({ job_title: 'Analyst', company: old.id })
    expect((await read(org, COMPANIES, acme)).status).toBe(404)
    expect((await read(org, COMPANIES, old)).status).toBe(200)
    expectError(await org.post('/undo-jobs', { kind: 'changeSet', id: set }), 'validation_error')
  })

  test('the changes of a job are a change set, which can be undone too', async () => {
    const org = await service.org()
    const { set, ada, acme, old } = await buildSet(org)
    const { id } = await undo(org, { kind: 'changeSet', id: set })
    expect(await undo(org, { kind: 'changeSet', id })).toMatchObject({
      status: 'completed',
      conflictCount: 0,
    })
    expect((await read(org, PEOPLE, ada)).body.data).toMatchObject({ job_title: 'Author', company: acme.id })
    expect((await read(org, COMPANIES, old)).status).toBe(404)
  })

  test('a dry run reports the result and changes nothing', async () => {
    const org = await service.org()
    const { set, ada } = await buildSet(org)
    await org.patch(`${PEOPLE}/${ada.id}`, { data: { job_title: 'Poet' } })
    const events = (await org.events()).length
    const dry = await start(org, { kind: 'changeSet', id: set }, '?dryRun=true')
    expect(dry).toMatchObject({
      id: null,
      ...{ created: 1, updated: 1, deleted: 1, total: 3, restored: 1, trashed: 1, returned: 1 },
      conflictCount: 1,
      conflicts: [{ recordId: ada.id, attributeSlug: 'job_title', code: 'value_changed', current: 'Poet' }],
    })
    expect((await org.events()).length).toBe(events)
    expect((await org.get('/undo-jobs')).body).toMatchObject({ undoJobs: [] })
  })

  test('later changes are kept, and each changed value is listed', async () => {
    const org = await service.org()
    const set = newId()
    const ada = await make(org, PEOPLE, { name: 'Ada', job_title: 'Analyst', email: 'ada@example.com' })
    const eve = await make(org, PEOPLE, { name: 'Eve' }, inSet(set))
    const path = `${PEOPLE}/${ada.id}`
    await org.patch(path, { data: { job_title: 'Countess', phone: '+1 555 867 5309' } }, inSet(set))
    await org.patch(path, { data: { job_title: 'Author', email: null } }, inSet(set))
    await org.patch(path, { data: { job_title: 'Poet' } })
    await org.patch(`${PEOPLE}/${eve.id}`, { data: { job_title: 'Spy' } })
    const taken = await make(org, PEOPLE, { name: 'Bob', email: 'ada@example.com' })
    const job = await undo(org, { kind: 'changeSet', id: set })
    expect(job).toMatchObject({ restored: 1, trashed: 0, conflictCount: 3 })
    const found = await conflictsOf(org, job)
    const message = (slug: string) => found.find(({ attributeSlug }) => attributeSlug === slug)
    expect(message('job_title')).toMatchObject({
      ...{ recordId: ada.id, version: 2, code: 'value_changed' },
      ...{ from: 'Analyst', to: 'Countess', current: 'Poet', otherRecordId: null },
      message: 'job_title: the value was changed since.',
    })
    expect(message('email')).toMatchObject({ code: 'unique_violation', otherRecordId: taken.id, version: 3 })
    expect(found.find(({ recordId }) => recordId === eve.id)).toMatchObject({
      ...{ attributeSlug: null, code: 'record_changed', from: null, current: null },
    })
    expect((await read(org, PEOPLE, ada)).body.data).toEqual({
      ...ada.data,
      job_title: 'Poet',
      email: undefined,
    })
    const { body } = await org.post(`${path}/undo`, { version: 2, overwrite: ['job_title'] })
    expect(body).toMatchObject({ record: { data: { job_title: 'Analyst' } } })
  })

  test('undoes the changes of an API key in a span of time, and no changes of others', async () => {
    const org = await service.org()
    const owner = await org.member('owner')
    const ada = (await owner.post<CrmRecord>(PEOPLE, { data: { name: 'Ada', job_title: 'Analyst' } })).body
    await org.patch(`${PEOPLE}/${ada.id}`, { data: { job_title: 'Author' } })
    const eve = await make(org, PEOPLE, { name: 'Eve' })
    await owner.patch(`${PEOPLE}/${ada.id}`, { data: { phone: '+1 555 867 5309' } })
    const span = { from: '2020-01-01T00:00:00Z', to: eve.createdAt }
    const job = (await owner.post<StartedUndoJob>('/undo-jobs', { kind: 'apiKey', id: org.keyId, ...span }))
      .body
    await work(org, job)
    expect(await jobOf(org, job)).toMatchObject({ total: 2, restored: 1, trashed: 1, conflictCount: 0 })
    const kept = { job_title: 'Analyst', phone: '+1 555 867 5309' }
    expect((await read(org, PEOPLE, ada)).body.data).toMatchObject(kept)
    expect((await read(org, PEOPLE, eve)).status).toBe(404)
  })

  test('keeps changes that the API key makes after the job began', async () => {
    const org = await service.org()
    await make(org, PEOPLE, { name: 'Ada' })
    const job = await start(org, { kind: 'apiKey', id: org.keyId, from: '2020-01-01T00:00:00Z' })
    const bob = await make(org, PEOPLE, { name: 'Bob' })
    await work(org, job)
    expect(await jobOf(org, job)).toMatchObject({ total: 1, done: 1, trashed: 1 })
    expect((await read(org, PEOPLE, bob)).status).toBe(200)
  })

  test('undoes a workflow run without starting the workflow again', async () => {
    const org = await service.org()
    const owner = await org.member('owner')
    const copy = { object: 'companies', data: { name: 'Copy' } }
    const title = { object: 'people', recordId: '{{trigger.recordId}}', data: { job_title: 'Author' } }
    const definition = {
      trigger: 'record/updated',
      triggerConfig: { objectId: (await org.get<{ id: string }>('/objects/people')).body.id },
      steps: [
        { key: 'made', type: 'create_record', config: copy },
        { key: 'changed', type: 'update_record', config: title },
        { key: 'note', type: 'create_activity', config: { title: 'Hello' } },
      ],
    }
    const workflow = (await owner.post<{ id: string }>('/workflows', { name: 'Copy', definition })).body
    expect((await owner.patch(`/workflows/${workflow.id}`, { enabled: true })).status).toBe(200)
    const ada = await make(org, PEOPLE, { name: 'Ada', job_title: 'Analyst' })
    await org.patch(`${PEOPLE}/${ada.id}`, { data: { phone: '+1 555 867 5309' } })
    await service.runWorkflows()
    const runs = async () =>
      (await org.get<{ runs: { id: string; status: string }[] }>(`/workflows/${workflow.id}/runs`)).body.runs
    const [run] = await runs()
    expect([run, (await read(org, PEOPLE, ada)).body.data]).toMatchObject([
      { status: 'completed' },
      { job_title: 'Author' },
    ])
    const job = await undo(org, { kind: 'workflowRun', id: run?.id })
    expect(job).toMatchObject({ total: 3, otherChanges: 0, restored: 1, trashed: 2, conflictCount: 0 })
    expect((await read(org, PEOPLE, ada)).body.data).toMatchObject({ job_title: 'Analyst' })
    await service.runWorkflows()
    expect(await runs()).toHaveLength(1)
  })

  test('undoes an import together with the records that it created for references', async () => {
    const org = await service.org()
    const owner = await org.member('owner')
    const columns = mapping('name', 'email', 'company')
    const file = await imported(service, owner, {
      text: 'Name,Email,Company\nAda,a@example.com,Acme\nBob,b@example.com,Acme\n',
      mapping: columns.map((one) => (one.index === 2 ? { ...one, onProblem: 'create' as const } : one)),
      matchOn: 'email',
    })
    expect(file).toMatchObject({ state: 'completed', progress: { created: 2 }, undo: 'possible' })
    const job = (await owner.post<StartedUndoJob>('/undo-jobs', { kind: 'import', id: file.id })).body
    await work(org, job)
    expect(await jobOf(org, job)).toMatchObject({ kind: 'import', trashed: 3, conflictCount: 0 })
    expect((await owner.get(`/imports/${file.id}`)).body).toMatchObject({ undo: 'undone' })
    expectError(await owner.post('/undo-jobs', { kind: 'import', id: file.id }), 'wrong_state')
  })

  test('refuses an invalid source, a span without an API key, and a source without changes', async () => {
    const org = await service.org()
    const { set } = await buildSet(org)
    const post = (body: object) => org.post('/undo-jobs', body)
    const now = new Date().toISOString()
    const key = { kind: 'apiKey', id: org.keyId }
    for (const body of [
      {},
      { kind: 'changeSet', id: 'mine' },
      { kind: 'changeSets', id: set },
      { kind: 'changeSet', id: set, from: now },
      { kind: 'changeSet', id: set, to: now },
      key,
      { ...key, from: now, to: '2020-01-01T00:00:00Z' },
      { ...key, id: newId(), from: '2020-01-01T00:00:00Z' },
      { kind: 'import', id: newId() },
      { kind: 'workflowRun', id: newId() },
      { kind: 'changeSet', id: newId() },
    ])
      expectError(await post(body), 'validation_error')
    expectError(
      await (await service.org()).post('/undo-jobs', { kind: 'changeSet', id: set }),
      'validation_error',
    )
  })

  test('refuses changes older than a day', async () => {
    const org = await service.org()
    const { set } = await buildSet(org)
    const old = newIdAt(new Date(Date.now() - 25 * 3_600_000))
    await ctx.db.run(sql`
      delete from change_set_batches where org = ${org.org} and change_set = ${set} and obj <> (
        select obj from objects where org = ${org.org} and slug = 'people')`)
    await ctx.db.run(sql`update change_set_batches set id = ${old} where org = ${org.org}`)
    expectError(await org.post('/undo-jobs', { kind: 'changeSet', id: set }), 'undo_expired')
    const span = { from: '2020-01-01T00:00:00Z', to: '2020-01-02T00:00:00Z' }
    expectError(await org.post('/undo-jobs', { kind: 'apiKey', id: org.keyId, ...span }), 'undo_expired')
  })

  test('needs records:write, and shows no values to a key without records:read', async () => {
    const org = await service.org()
    const { set, ada } = await buildSet(org)
    await org.patch(`${PEOPLE}/${ada.id}`, { data: { job_title: 'Poet' } })
    const ask = (key: string) =>
      service.inject({
        method: 'POST',
        url: '/api/v1/undo-jobs?dryRun=true',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        payload: JSON.stringify({ kind: 'changeSet', id: set }),
      })
    expect((await ask(await org.keyWith(['records:read']))).statusCode).toBe(403)
    const written = await ask(await org.keyWith(['records:write']))
    expect(JSON.parse(written.payload)).toMatchObject({ conflicts: [{ attributeSlug: 'job_title' }] })
    expect(written.payload).not.toMatch(/Poet|Author|Analyst/)
  })
})

describe('a job', () => {
  test('continues after a stop, also by another worker', async () => {
    const org = await service.org()
    const set = newId()
    for (const name of ['Ada', 'Bob', 'Eve', 'Joe']) await make(org, PEOPLE, { name }, inSet(set))
    const job = await start(org, { kind: 'changeSet', id: set })
    const stop = new AbortController()
    let batches = 0
    const size = { rows: 1, took: () => void (++batches === 2 && stop.abort(new Error('killed'))) }
    await expect(work(org, job, stop.signal, size)).rejects.toThrow('killed')
    expect(await jobOf(org, job)).toMatchObject({ status: 'running', total: 4, done: 2, trashed: 2 })
    await Promise.all([work(org, job), work(org, job)])
    expect(await jobOf(org, job)).toMatchObject({ status: 'completed', done: 4, trashed: 4 })
  })

  test('can be cancelled: undone changes stay undone, and another job undoes the rest', async () => {
    const org = await service.org()
    const set = newId()
    for (const name of ['Ada', 'Bob']) await make(org, PEOPLE, { name }, inSet(set))
    const job = await start(org, { kind: 'changeSet', id: set })
    const { status, body } = await org.post(`/undo-jobs/${job.id}/cancel`)
    expect([status, body]).toMatchObject([200, { status: 'cancelled', completedAt: expect.any(String) }])
    await work(org, job)
    expect(await jobOf(org, job)).toMatchObject({ status: 'cancelled', done: 0, trashed: 0 })
    expect(await undo(org, { kind: 'changeSet', id: set })).toMatchObject({ status: 'completed', trashed: 2 })
    expect((await org.post(`/undo-jobs/${job.id}/cancel`)).body).toMatchObject({ status: 'cancelled' })
  })

  test('fails if its key may no longer write', async () => {
    const org = await service.org()
    const { set } = await buildSet(org)
    const job = await start(org, { kind: 'changeSet', id: set })
    await ctx.directory.run(sql`update api_keys set scopes = array['records:read'] where id = ${org.keyId}`)
    await ctx.cells.copy()
    await work(org, job)
    expect(await jobOf(org, job)).toMatchObject({
      status: 'failed',
      done: 0,
      error: 'Who asked for it may no longer write records: ask for it again with another key or member',
    })
  })

  test('lists changes of permanently deleted and trashed records, and merges that stay, as conflicts', async () => {
    const org = await service.org()
    const set = newId()
    const people: CrmRecord[] = []
    for (const name of ['Ada', 'Bob', 'Eve', 'Joe']) people.push(await make(org, PEOPLE, { name }))
    const [ada, bob, eve, joe] = people.map(({ id }) => id)
    await org.delete(`${PEOPLE}/${ada}?permanent=true`, undefined, inSet(set))
    await org.post(`${PEOPLE}/merge`, { winnerId: bob, loserIds: [eve] }, inSet(set))
    await org.patch(`${PEOPLE}/${joe}`, { data: { job_title: 'Author' } }, inSet(set))
    await org.delete(`${PEOPLE}/${joe}`)
    await org.post(`${PEOPLE}/merge`, {
      winnerId: bob,
      loserIds: [(await make(org, PEOPLE, { name: 'Max' })).id],
    })
    const job = await undo(org, { kind: 'changeSet', id: set })
    const codes = (await conflictsOf(org, job)).map(({ recordId, code }) => [recordId, code])
    expect(Object.fromEntries(codes)).toEqual({
      [String(ada)]: 'record_purged',
      [String(bob)]: 'record_merged',
      [String(joe)]: 'record_gone',
    })
  })

  test('is not found in another organization, and is deleted after a week', async () => {
    const [org, other] = [await service.org(), await service.org()]
    const { set } = await buildSet(org)
    const job = await undo(org, { kind: 'changeSet', id: set })
    for (const path of [`/undo-jobs/${job.id}`, `/undo-jobs/${job.id}/conflicts`, '/undo-jobs/none'])
      expectError(await other.get(path), 'not_found')
    expectError(await other.post(`/undo-jobs/${job.id}/cancel`), 'not_found')
    await ctx.db.run(
      sql`update undo_jobs set created_at = created_at - interval '8 days' where org = ${org.org}`,
    )
    await forgetUndoJobs(ctx, never, new Date())
    expectError(await org.get(`/undo-jobs/${job.id}`), 'not_found')
  })
})
