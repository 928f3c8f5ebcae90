// Undo jobs undo a merge as a whole, and merge again when the undo is undone.
import { expect, test } from 'vitest'
import type { CrmRecord } from '../../contract/records.ts'
import type { StartedUndoJob, UndoJob } from '../../contract/undo-jobs.ts'
import { newId } from '../base/id.ts'
import { createBatchSize } from '../jobs/batch-size.ts'
import { bodyOf, createRecord, expectError, type Org } from '../test/factories.ts'
import { sharedTestService } from '../test/shared-service.ts'
import { workOnUndo } from './jobs.ts'
import { conflictsOf, inSet, setOf, undoWith } from './undo.fixture.ts'

const service = await sharedTestService()
const { ctx } = service
const { finish, undo } = undoWith(ctx)
const PEOPLE = '/objects/people/records'
const ADA = 'ada@example.com'

const person = (org: Org, data: object): Promise<CrmRecord> => createRecord(org, 'people', data)

const read = async (org: Org, { id }: Pick<CrmRecord, 'id'>) =>
  (await org.get<CrmRecord & { mergedInto?: string }>(`${PEOPLE}/${id}`)).body

const merge = async (org: Org, [winner, ...losers]: readonly CrmRecord[], headers = {}) => {
  const body = { winnerId: winner?.id, loserIds: losers.map(({ id }) => id) }
  return bodyOf(await org.post<{ mergeId: string }>(`${PEOPLE}/merge`, body, headers)).mergeId
}

/** Merges a person with an email into one without, in a set. A deal refers to the loser. */
async function buildMerge(org: Org) {
  const winner = await person(org, { name: 'Ada' })
  const loser = await person(org, { name: 'Ada L.', email: ADA, job_title: 'Analyst' })
  const deal = (
    await org.post<CrmRecord>('/objects/deals/records', { data: { name: 'A', contact: loser.id } })
  ).body
  const set = newId()
  await merge(org, [winner, loser], inSet(set))
  expect((await read(org, winner)).data).toMatchObject({ email: ADA, job_title: 'Analyst' })
  const contact = async () =>
    (await org.get<CrmRecord>(`/objects/deals/records/${deal.id}`)).body.data['contact']
  expect(await contact()).toBe(winner.id)
  return { set, winner, loser, contact }
}

for (const rows of [1, 100])
  test(`a merge is undone as a whole in batches of ${rows}: losers return, and the winner gets its earlier values`, async () => {
    const org = await service.org()
    const { set, winner, loser, contact } = await buildMerge(org)
    const job = await undo(org, setOf(set), rows)
    expect(job).toMatchObject({ status: 'completed', returned: 1, restored: 1, trashed: 0, conflictCount: 0 })
    expect(job.done).toBe(job.total)
    expect((await read(org, winner)).data).toEqual(winner.data)
    expect(await read(org, loser)).toMatchObject({ id: loser.id, data: loser.data })
    expect(await contact()).toBe(loser.id)
    const list = await org.get<{ merges: unknown[] }>(`${PEOPLE}/${winner.id}/merges`)
    expect(list.body.merges).toEqual([])
  })

for (const rows of [1, 100])
  test(`undoing the undo merges again in batches of ${rows}, and that is undone too`, async () => {
    const org = await service.org()
    const { set, winner, loser, contact } = await buildMerge(org)
    const merged = (await read(org, winner)).data
    const first = await undo(org, setOf(set), rows)
    const second = await undo(org, setOf(first.id), rows)
    expect(second).toMatchObject({ status: 'completed', trashed: 1, restored: 1, conflictCount: 0 })
    expect(second.done).toBe(second.total)
    expect((await read(org, winner)).data).toEqual(merged)
    expect(await read(org, loser)).toMatchObject({ id: winner.id, mergedInto: winner.id })
    expect(await contact()).toBe(winner.id)
    const third = await undo(org, setOf(second.id), rows)
    expect(third).toMatchObject({ returned: 1, restored: 1, conflictCount: 0 })
    expect([await read(org, winner), await read(org, loser)]).toMatchObject([
      { data: winner.data },
      { id: loser.id, data: loser.data },
    ])
  })

test('later edits of the winner are kept and listed, also when the undo is undone', async () => {
  const org = await service.org()
  const { set, winner, loser } = await buildMerge(org)
  await org.patch(`${PEOPLE}/${winner.id}`, { data: { job_title: 'Countess' } })
  const job = await undo(org, setOf(set))
  expect(job).toMatchObject({ returned: 1, conflictCount: 1 })
  expect(await conflictsOf(org, job)).toMatchObject([
    {
      ...{ recordId: winner.id, attributeSlug: 'job_title', code: 'value_changed' },
      ...{ from: null, to: 'Analyst', current: 'Countess' },
    },
  ])
  expect((await read(org, winner)).data).toEqual({ ...winner.data, job_title: 'Countess' })
  expect((await read(org, loser)).data).toEqual(loser.data)
  await org.patch(`${PEOPLE}/${loser.id}`, { data: { email: 'new@example.com' } })
  await org.patch(`${PEOPLE}/${winner.id}`, { data: { email: 'winner@example.com' } })
  const again = await undo(org, setOf(job.id))
  expect(await conflictsOf(org, again)).toMatchObject([
    { recordId: winner.id, attributeSlug: 'email', code: 'value_changed', current: 'winner@example.com' },
  ])
  expect((await read(org, winner)).data).toMatchObject({ job_title: 'Countess', email: 'winner@example.com' })
})

test('a merge that cannot be undone is one conflict, and the winner keeps its values', async () => {
  const org = await service.org()
  const { set, winner, loser } = await buildMerge(org)
  await merge(org, [winner, await person(org, { name: 'Ada K.' })])
  const job = await undo(org, setOf(set))
  expect(job).toMatchObject({ status: 'completed', returned: 0, restored: 0, conflictCount: 1 })
  expect(await conflictsOf(org, job)).toMatchObject([
    { recordId: winner.id, attributeSlug: null, code: 'record_merged' },
  ])
  expect(await read(org, loser)).toMatchObject({ mergedInto: winner.id, data: { email: ADA } })
})

test('a merge that was undone already is one conflict, and a later merge of the same records stays', async () => {
  const org = await service.org()
  const { set, winner, loser } = await buildMerge(org)
  const { merges } = (await org.get<{ merges: { id: string }[] }>(`${PEOPLE}/${winner.id}/merges`)).body
  await org.post(`/objects/people/merges/${merges[0]?.id}/undo`)
  await merge(org, [winner, loser])
  const job = await undo(org, setOf(set))
  expect(job).toMatchObject({ returned: 0, conflictCount: 1 })
  expect(await read(org, loser)).toMatchObject({ mergedInto: winner.id, data: { email: ADA } })
})

test('merges into merged records are undone in reverse order, together with edits between them', async () => {
  const org = await service.org()
  const { set, winner, loser } = await buildMerge(org)
  await org.patch(`${PEOPLE}/${winner.id}`, { data: { job_title: 'Author' } }, inSet(set))
  const third = await person(org, { name: 'Ada K.', phone: '+1 555 867 5309' })
  await merge(org, [third, winner], inSet(set))
  const job = await undo(org, setOf(set), 2)
  expect(job).toMatchObject({ returned: 2, conflictCount: 0 })
  for (const one of [winner, loser, third]) expect((await read(org, one)).data).toEqual(one.data)
  const again = await undo(org, setOf(job.id), 2)
  expect(again).toMatchObject({ trashed: 2, conflictCount: 0 })
  for (const one of [winner, loser])
    expect(await read(org, one)).toMatchObject({ id: third.id, data: { email: ADA, job_title: 'Author' } })
})

test('the changes of an API key are undone with its merges', async () => {
  const org = await service.org()
  const { winner, loser } = await buildMerge(org)
  await org.patch(`${PEOPLE}/${winner.id}`, { data: { job_title: 'Author' } })
  const merged = { ...winner.data, email: ADA, job_title: 'Author' }
  const from = (await org.get<{ undoJobs: unknown[] }>('/undo-jobs')).status
  expect([from, (await read(org, winner)).data]).toMatchObject([200, merged])
  const span = { from: '2020-01-01T00:00:00Z' }
  const job = await undo(org, { kind: 'apiKey', id: org.keyId, ...span }, 3)
  expect(job).toMatchObject({ status: 'completed', trashed: 3, returned: 1, conflictCount: 0 })
  const again = await undo(org, setOf(job.id), 3)
  expect(again).toMatchObject({ conflictCount: 0 })
  expect(await read(org, loser)).toMatchObject({ id: winner.id, data: merged })
})

test('a dry run counts a merge and changes nothing', async () => {
  const org = await service.org()
  const { set, winner, loser } = await buildMerge(org)
  await org.patch(`${PEOPLE}/${winner.id}`, { data: { job_title: 'Countess' } }, inSet(set))
  await org.patch(`${PEOPLE}/${winner.id}`, { data: { name: 'Ada King' } })
  const events = (await org.events()).length
  const dry = (await org.post<StartedUndoJob>('/undo-jobs?dryRun=true', setOf(set))).body
  expect(dry).toMatchObject({ id: null, restored: 2, returned: 1, conflictCount: 0 })
  expect(dry.done).toBe(dry.total)
  expect((await org.events()).length).toBe(events)
  expect(await read(org, loser)).toMatchObject({ mergedInto: winner.id, data: { job_title: 'Countess' } })
})

test('a job that is stopped within a merge and continued undoes it once', async () => {
  const org = await service.org()
  const { set, winner, loser } = await buildMerge(org)
  const { id } = (await org.post<StartedUndoJob>('/undo-jobs', setOf(set))).body
  const stop = new AbortController()
  const size = { rows: 1, took: () => stop.abort(new Error('killed')) }
  const work = workOnUndo(ctx, { org: org.org, id: String(id) }, stop.signal, size)
  await expect(work).rejects.toThrow('killed')
  expect((await org.get<UndoJob>(`/undo-jobs/${id}`)).body).toMatchObject({ done: 1, returned: 1 })
  const done = await finish(org, String(id), 1)
  expect(done).toMatchObject({ status: 'completed', returned: 1, conflictCount: 0, done: done.total })
  expect([await read(org, winner), await read(org, loser)]).toMatchObject([
    { data: winner.data },
    { data: loser.data },
  ])
})

test('a cancelled job leaves a merge done or undone as a whole, and another job continues', async () => {
  const org = await service.org()
  const { set, winner, loser } = await buildMerge(org)
  const { id } = (await org.post<StartedUndoJob>('/undo-jobs', setOf(set))).body
  const one = createBatchSize({ first: 1, min: 1, max: 1, ms: 1000 })
  const ref = { org: org.org, id: String(id) }
  await workOnUndo(ctx, ref, new AbortController().signal, one, async () => false)
  await org.post(`/undo-jobs/${id}/cancel`)
  expect((await read(org, loser)).data).toEqual(loser.data)
  expect(await undo(org, setOf(set))).toMatchObject({ status: 'completed', conflictCount: 0 })
  expect((await read(org, winner)).data).toEqual(winner.data)
})

test('an undone merge that cannot be made again is a conflict, and its records stay', async () => {
  const org = await service.org()
  const { set, winner, loser } = await buildMerge(org)
  const job = await undo(org, setOf(set))
  await org.delete(`${PEOPLE}/${winner.id}`)
  const again = await undo(org, setOf(job.id))
  expect(again).toMatchObject({ trashed: 0, conflictCount: 1 })
  expect(await conflictsOf(org, again)).toMatchObject([{ recordId: winner.id, code: 'merge_refused' }])
  expect((await read(org, loser)).data).toEqual(loser.data)
})

test('a set is undone one by one up to a merge, which an undo job then undoes', async () => {
  const org = await service.org()
  const { set, winner, loser } = await buildMerge(org)
  const { data } = await read(org, winner)
  await org.patch(`${PEOPLE}/${winner.id}`, { data: { job_title: 'Countess' } }, inSet(set))
  const undoBatch = () => org.post(`/objects/people/change-sets/${set}/undo`)
  expect((await undoBatch()).status).toBe(200)
  expectError(await undoBatch(), 'wrong_state')
  expect((await read(org, winner)).data).toEqual(data)
  expect(await read(org, loser)).toMatchObject({ id: winner.id, mergedInto: winner.id })
  const job = await undo(org, setOf(set))
  expect(job).toMatchObject({ status: 'completed', returned: 1, conflictCount: 0 })
  const again = () => org.post(`/objects/people/change-sets/${job.id}/undo`)
  expectError(await again(), 'wrong_state')
  expect([await read(org, winner), await read(org, loser)]).toMatchObject([
    { data: winner.data },
    { id: loser.id, data: loser.data },
  ])
})

test('a merge and its own undo by one API key are undone to the records before both', async () => {
  const org = await service.org()
  const admin = await org.member('admin')
  const create = async (data: object) => (await admin.post<CrmRecord>(PEOPLE, { data })).body
  const [winner, loser] = [await create({ name: 'Ada' }), await create({ name: 'Ada L.', email: ADA })]
  const mergeId = await merge(org, [winner, loser])
  expect((await org.post(`/objects/people/merges/${mergeId}/undo`)).status).toBe(200)
  const span = { from: '2020-01-01T00:00:00Z' }
  const job = await undo(org, { kind: 'apiKey', id: org.keyId, ...span }, 3)
  expect(job).toMatchObject({ status: 'completed', conflictCount: 0 })
  expect([await read(org, winner), await read(org, loser)]).toMatchObject([
    { data: winner.data },
    { id: loser.id, data: loser.data },
  ])
})

test('undoing the undo merges the records that still exist, and lists the others', async () => {
  const org = await service.org()
  const [winner, loser, other] = [
    await person(org, { name: 'Ada' }),
    await person(org, { name: 'Ada L.', email: ADA }),
    await person(org, { name: 'Ada K.' }),
  ]
  const set = newId()
  await merge(org, [winner, loser, other], inSet(set))
  const job = await undo(org, setOf(set))
  await org.delete(`${PEOPLE}/${other.id}`)
  const again = await undo(org, setOf(job.id))
  expect(again).toMatchObject({ trashed: 1, conflictCount: 1 })
  expect(await conflictsOf(org, again)).toMatchObject([{ recordId: other.id, code: 'merge_refused' }])
})
