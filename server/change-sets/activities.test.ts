// Undoes activities together with other changes: of a change set, a workflow run or an API key.
import fc from 'fast-check'
import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import type { Activity } from '../../contract/activities.ts'
import type { ChangeSet } from '../../contract/change-sets.ts'
import type { StartedUndoJob } from '../../contract/undo-jobs.ts'
import { addRecord, create, type Ref } from '../activities/activities.fixture.ts'
import { readActivity, restore, trashOf } from '../activities/trash/trash.fixture.ts'
import { newId } from '../base/id.ts'
import { stateOf } from '../records/trash/identity.fixture.ts'
import { buildTestService } from '../test/build-app.ts'
import { expectError } from '../test/factories.ts'
import { conflictsOf, expectIdentity, inSet, setOf, undoWith } from './undo.fixture.ts'

const service = await buildTestService()
const { ctx } = service
const { finish, undo } = undoWith(ctx)

describe('a change set with activities', () => {
  test('is listed and undone: created activities are deleted, changed ones restored, deleted ones return', async () => {
    const org = await service.org()
    const set = newId()
    const [changed, deleted] = [await create(org, { title: 'Old' }), await create(org, { title: 'Deleted' })]
    const made = await org.post<Activity>('/activities', { title: 'New' }, inSet(set))
    await org.patch(`/activities/${changed.body.id}`, { title: 'Newer', summary: 'Text' }, inSet(set))
    await org.delete(`/activities/${deleted.body.id}`, undefined, inSet(set))
    const { changeSets } = (await org.get<{ changeSets: ChangeSet[] }>('/change-sets')).body
    expect(changeSets.find(({ id }) => id === set)).toMatchObject({ kind: 'changeSet', changes: 3 })

    const job = await undo(org, setOf(set))
    expect(job).toMatchObject({
      ...{ status: 'completed', created: 1, updated: 1, deleted: 1, otherChanges: 0, total: 3, done: 3 },
      ...{ restored: 1, trashed: 1, returned: 1, conflictCount: 0 },
    })
    expect((await trashOf(org)).activities.map(({ id }) => id)).toEqual([made.body.id])
    expect(await readActivity(org, changed.body.id)).toMatchObject({ title: 'Old', summary: '', version: 3 })
    expect(await readActivity(org, deleted.body.id)).toMatchObject({ title: 'Deleted', version: 3 })

    // The undo job is itself a change set.
    expect(await undo(org, setOf(job.id))).toMatchObject({ restored: 1, trashed: 1, returned: 1 })
    expect(await readActivity(org, changed.body.id)).toMatchObject({ title: 'Newer', summary: 'Text' })
    expect(await readActivity(org, made.body.id)).toMatchObject({ title: 'New' })
  })

  test('keeps later changes, and lists each changed value as a conflict', async () => {
    const org = await service.org()
    const set = newId()
    const [changed, trashed] = [(await create(org, { title: 'Old' })).body, (await create(org)).body]
    const made = (await org.post<Activity>('/activities', { title: 'New' }, inSet(set))).body
    const purged = (await create(org)).body
    await org.patch(`/activities/${changed.id}`, { title: 'Newer', summary: 'Text' }, inSet(set))
    await org.patch(`/activities/${trashed.id}`, { title: 'Other' }, inSet(set))
    await org.delete(`/activities/${purged.id}`, undefined, inSet(set))
    await org.patch(`/activities/${changed.id}`, { title: 'Newest' })
    await org.patch(`/activities/${made.id}`, { summary: 'By hand' })
    await org.delete(`/activities/${trashed.id}`)
    await org.delete(`/trashed-activities/${purged.id}`)

    const job = await undo(org, setOf(set))
    expect(job).toMatchObject({ total: 4, done: 4, restored: 1, trashed: 0, returned: 0, conflictCount: 4 })
    expect(await readActivity(org, changed.id)).toMatchObject({ title: 'Newest', summary: '' })
    const whole = { attributeSlug: null, from: null, to: null, current: null, objectId: null }
    const value = {
      attributeSlug: 'title',
      code: 'value_changed',
      from: 'Old',
      to: 'Newer',
      current: 'Newest',
    }
    const conflicts = await conflictsOf(org, job)
    expect(conflicts).toHaveLength(4)
    expect(conflicts).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ activityId: changed.id, recordId: changed.id, version: 2, ...value }),
        expect.objectContaining({ activityId: made.id, code: 'activity_edited', ...whole }),
        expect.objectContaining({ activityId: trashed.id, code: 'activity_gone', ...whole }),
        expect.objectContaining({ activityId: purged.id, code: 'activity_purged', ...whole }),
      ]),
    )
    expect(conflicts.map(({ message }) => message)).toContain(
      'activity: the activity was changed since it was created, and stays.',
    )
    const key = { authorization: `Bearer ${await org.keyWith(['records:read'])}` }
    const [hidden] = (await conflictsOf(org, job, key)).filter(
      ({ attributeSlug }) => attributeSlug === 'title',
    )
    expect(Object.keys(hidden ?? {})).not.toContain('current')
  })

  test('does not restore links to permanently deleted records', async () => {
    const org = await service.org()
    const set = newId()
    const acme = await addRecord(org, 'companies', 'Acme')
    const { id } = (await create(org, { linkedRecords: [acme] })).body
    await org.patch(`/activities/${id}`, { linkedRecords: [], title: 'Other' }, inSet(set))
    await org.delete(`/objects/companies/records/${acme.recordId}?permanent=true`)
    const job = await undo(org, setOf(set))
    expect(await conflictsOf(org, job)).toMatchObject([
      {
        activityId: id,
        attributeSlug: 'linkedRecords',
        code: 'record_deleted',
        otherRecordId: acme.recordId,
      },
    ])
    expect(await readActivity(org, id)).toMatchObject({ title: 'Call', linkedRecords: [] })
  })

  test('does not restore fields of a task after the type has changed', async () => {
    const org = await service.org()
    const set = newId()
    const done = '2026-05-01T10:00:00.000Z'
    const { id } = (await create(org, { type: 'task', completedAt: done })).body
    await org.patch(`/activities/${id}`, { completedAt: null, title: 'Other' }, inSet(set))
    await org.patch(`/activities/${id}`, { type: 'note' })
    const job = await undo(org, setOf(set))
    expect(job).toMatchObject({ status: 'completed', restored: 1, conflictCount: 1 })
    expect(await conflictsOf(org, job)).toMatchObject([
      { attributeSlug: 'completedAt', from: done, to: null },
    ])
    expect(await readActivity(org, id)).toMatchObject({ type: 'note', title: 'Call', completedAt: null })
  })

  test('reports a conflict if the earlier version of an activity is not stored any more', async () => {
    const org = await service.org()
    const set = newId()
    const { id } = (await create(org)).body
    await ctx.db.run(sql`delete from events where org = ${org.org}`)
    await org.patch(`/activities/${id}`, { title: 'Other' }, inSet(set))
    const job = await undo(org, setOf(set))
    expect(await conflictsOf(org, job)).toMatchObject([{ activityId: id, code: 'activity_unknown' }])
  })
})

test('activities and records that an undo job changed are listed under its API key too', async () => {
  const org = await service.org()
  const owner = await org.member('owner')
  const [acme, { body: call }] = [await addRecord(org, 'companies', 'Acme'), await create(org)]
  const set = newId()
  await owner.patch(`/objects/companies/records/${acme.recordId}`, { data: { name: 'Apex' } }, inSet(set))
  await owner.patch(`/activities/${call.id}`, { title: 'Other' }, inSet(set))
  await ctx.db.run(sql`update events set api_key = null where org = ${org.org}`)
  const job = await undo(org, setOf(set))
  expect(job).toMatchObject({ restored: 2, total: 2, done: 2 })
  const { changeSets } = (await org.get<{ changeSets: ChangeSet[] }>('/change-sets')).body
  const ofKey = changeSets.filter(({ kind }) => kind === 'apiKey')
  expect(ofKey).toMatchObject([{ id: org.keyId, changes: 2 }])
  const redone = await undo(org, { kind: 'apiKey', id: org.keyId, from: ofKey[0]?.from })
  expect(redone).toMatchObject({ restored: 2, total: 2, done: 2 })
  expect((await readActivity(org, call.id)).title).toBe('Other')
})

describe('the right to undo activities', () => {
  test('requires the scope activities:write: without it only the records are undone', async () => {
    const org = await service.org()
    const set = newId()
    const { id } = (await create(org)).body
    await org.post('/objects/people/records', { data: { name: 'Ada' } }, inSet(set))
    await org.patch(`/activities/${id}`, { title: 'Other' }, inSet(set))
    const scopes = ['records:read', 'records:write', 'activities:read'] as const
    const key = { authorization: `Bearer ${await org.keyWith(scopes)}` }
    const { body } = await org.post<StartedUndoJob>('/undo-jobs', setOf(set), key)
    expect(await finish(org, body.id ?? '')).toMatchObject({ total: 1, done: 1, otherChanges: 1, trashed: 1 })
    expect((await readActivity(org, id)).title).toBe('Other')
    expectError(await org.post('/undo-jobs', setOf(set), key), 'validation_error')
    expect(await undo(org, setOf(set))).toMatchObject({ total: 1, restored: 1 })
    expect((await readActivity(org, id)).title).toBe('Call')
  })

  test('does not extend to other organizations', async () => {
    const [org, other] = [await service.org(), await service.org()]
    const set = newId()
    const { id } = (await org.post<Activity>('/activities', { title: 'New' }, inSet(set))).body
    expectError(await other.post('/undo-jobs', setOf(set)), 'validation_error')
    expect((await readActivity(org, id)).title).toBe('New')
  })
})

test('undoing an API key undoes its activities, and restored records get their activity links back', async () => {
  const org = await service.org()
  const owner = await org.member('owner')
  const acme = (
    await owner.post<{ id: string; objectId: string }>('/objects/companies/records', {
      data: { name: 'Acme' },
    })
  ).body
  const linkedRecords = [{ objectId: acme.objectId, recordId: acme.id }]
  const old = (await owner.post<Activity>('/activities', { title: 'Old', linkedRecords })).body
  // Without its earlier events, only the deletion of the record changes the activity.
  await ctx.db.run(sql`delete from events where org = ${org.org}`)
  const { id } = (await create(org, { linkedRecords })).body
  await org.delete(`/objects/companies/records/${acme.id}`)
  const { changeSets } = (await org.get<{ changeSets: ChangeSet[] }>('/change-sets')).body
  expect(changeSets).toMatchObject([{ kind: 'apiKey', id: org.keyId, changes: 2 }])
  const job = await undo(org, { kind: 'apiKey', id: org.keyId, from: '2020-01-01T00:00:00Z' })
  expect(job).toMatchObject({ total: 2, done: 2, trashed: 1, returned: 1, conflictCount: 0 })
  expect(await readActivity(org, old.id)).toMatchObject({ linkedRecords })
  expect((await restore(org, id)).body.activity.linkedRecords).toEqual(linkedRecords)
})

describe('any set of changes of activities', async () => {
  const org = await service.org()
  const companies = await Promise.all(['A', 'B', 'C'].map((name) => addRecord(org, 'companies', name)))
  const made = [[0, 1, 2], [2, 0], []].map((some) =>
    create(org, { type: 'task', linkedRecords: some.flatMap((nr) => companies[nr] ?? []) }),
  )
  const ids = (await Promise.all(made)).map(({ body }) => body.id)

  const links = fc.shuffledSubarray(companies)
  const fields = fc.record(
    {
      title: fc.constantFrom('Call', 'Mail'),
      type: fc.constantFrom('task', 'note'),
      summary: fc.constantFrom('', 'Text'),
      activityDate: fc.constantFrom('2026-01-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z'),
      linkedRecords: links,
    },
    { requiredKeys: [] },
  )
  const id = fc.constantFrom(...ids)
  const step = fc.oneof(
    fc.record({ kind: fc.constant('create' as const), fields }),
    fc.record({ kind: fc.constant('patch' as const), id, fields }),
    fc.record({ kind: fc.constant('complete' as const), id }),
    fc.record({ kind: fc.constant('delete' as const), id }),
    fc.record({ kind: fc.constant('deleteRecord' as const), record: fc.constantFrom(...companies) }),
  )
  type Step = typeof step extends fc.Arbitrary<infer One> ? One : never

  const deleteRecord = ({ objectId, recordId }: Ref, set: string) =>
    org.delete(`/objects/${objectId}/records/${recordId}`, undefined, inSet(set))

  /** Some steps are refused, because an earlier step deleted the activity or record. */
  const take = (one: Step, set: string): Promise<unknown> => {
    switch (one.kind) {
      case 'create':
        return org.post('/activities', { title: 'New', ...one.fields }, inSet(set))
      case 'patch':
        return org.patch(`/activities/${one.id}`, one.fields, inSet(set))
      case 'complete':
        return org.patch(`/activities/${one.id}`, { completedAt: '2026-05-01T10:00:00Z' }, inSet(set))
      case 'delete':
        return org.delete(`/activities/${one.id}`, undefined, inSet(set))
      case 'deleteRecord':
        return deleteRecord(one.record, set)
    }
  }

  const state = async () => ({
    ...(await stateOf(service, org)),
    fields: await ctx.db.many(sql`
      select id, type, title, summary, activity_date, completed_at, assignee from activities
      where org = ${org.org} order by id`),
  })

  test('undoing the set restores the state before it, and undoing the undo restores the state after it', () =>
    expectIdentity({ ctx, org, step, take, state }))
})
