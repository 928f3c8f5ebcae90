// The history of activities, and the undo of their changes, over HTTP.
import sql from 'sql-template-tag'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Activity } from '../../../contract/activities.ts'
import type { ActivityHistory, UndoneActivityChange } from '../../../contract/activity-history.ts'
import type { ChangeSet } from '../../../contract/change-sets.ts'
import { newId } from '../../base/id.ts'
import { inSet, setOf, undoWith } from '../../change-sets/undo.fixture.ts'
import { bodyOf, expectError, type Org } from '../../test/factories.ts'
import { sharedTestService } from '../../test/shared-service.ts'

const service = await sharedTestService()
const { db } = service.ctx
const { undo: undoSet } = undoWith(service.ctx)

let org: Org
beforeEach(async () => {
  org = await service.org()
})

const make = async (fields: object = {}) =>
  (await org.post<Activity>('/activities', { type: 'task', title: 'Call', ...fields })).body
const patch = async (id: string, fields: object, headers?: Record<string, string>) =>
  (await org.patch<Activity>(`/activities/${id}`, fields, headers)).body
const read = async (id: string) => (await org.get<Activity>(`/activities/${id}`)).body
const history = async (id: string, query = '') =>
  (await org.get<ActivityHistory>(`/activities/${id}/history${query}`)).body
const undo = (id: string, body: object, query = '') =>
  org.post<UndoneActivityChange>(`/activities/${id}/undo${query}`, body)
const setIds = async () =>
  (await org.get<{ changeSets: ChangeSet[] }>('/change-sets')).body.changeSets.map((set) => set.id)

describe('GET /activities/:activityId/history', () => {
  test('lists each change with its author and its fields, newest first', async () => {
    const mia = await org.member('member')
    const { id } = await make({ summary: 'Short' })
    const completedAt = '2026-05-01T10:00:00.000Z'
    await mia.patch(`/activities/${id}`, { title: 'Call Ada', completedAt })
    const at = expect.stringMatching(/Z$/)
    expect(await history(id)).toEqual({
      pagination: { total: 2, limit: 50, offset: 0 },
      entries: [
        {
          ...{ id: expect.any(String), type: 'activity.updated', version: 2, at },
          actor: { id: mia.userId, name: 'Mia Member', email: mia.email },
          ...{ apiKey: null, workflow: null, restores: null },
          changes: {
            title: { from: 'Call', to: 'Call Ada' },
            completedAt: { from: null, to: completedAt },
          },
        },
        {
          ...{ id: expect.any(String), type: 'activity.created', version: 1, at },
          actor: { id: org.userId, name: 'Olivia Owner', email: `owner-${org.userId}@example.com` },
          apiKey: { id: org.keyId, name: 'test' },
          ...{ workflow: null, changes: null, restores: null },
        },
      ],
    })
  })

  test('does not show the values of an earlier state that was erased or deleted', async () => {
    const { id } = await make()
    await patch(id, { title: 'Second' })
    await patch(id, { title: 'Third' })
    const ofVersion = (version: number) =>
      sql`org = ${org.org} and subject = ${id}::uuid and version = ${version}`
    await db.run(sql`
      update events set is_erased = true, data = '{"title": "", "linkedRecords": []}' where ${ofVersion(2)}`)
    await db.run(sql`delete from events where ${ofVersion(1)}`)
    expect((await history(id)).entries).toMatchObject([
      { version: 3, changes: null },
      { version: 2, changes: null },
    ])
    for (const version of [2, 3]) expectError(await undo(id, { version }), 'validation_error')
  })

  test('says that an activity was restored from the trash, and is not found while it is there', async () => {
    const { id } = await make()
    await org.delete(`/activities/${id}`)
    expectError(await org.get(`/activities/${id}/history`), 'not_found')
    await org.post(`/trashed-activities/${id}/restore`)
    expect((await history(id)).entries).toMatchObject([
      { type: 'activity.created', version: 3 },
      { type: 'activity.created', version: 1 },
    ])
  })

  test('does not extend to other organizations', async () => {
    const { id } = await make()
    const other = await service.org()
    expectError(await other.get(`/activities/${id}/history`), 'not_found')
    expectError(await other.post(`/activities/${id}/undo`, { version: 2 }), 'not_found')
    expectError(await org.get('/activities/call/history'), 'not_found')
  })
})

describe('POST /activities/:activityId/undo', () => {
  test('restores the earlier values as a new change that says so', async () => {
    const before = await make({ summary: 'Short' })
    const { id } = before
    await patch(id, { title: 'Mail', summary: 'Long' })
    const body = bodyOf(await undo(id, { version: 2 }))
    const changes = { title: { from: 'Mail', to: 'Call' }, summary: { from: 'Long', to: 'Short' } }
    const { updatedAt: _, ...fields } = before
    expect(body).toEqual({
      activity: { ...fields, updatedAt: expect.any(String), version: 3 },
      ...{ changes, conflicts: [] },
    })
    expect(await read(id)).toEqual(body.activity)
    const { entries } = await history(id)
    const [restored, edited] = entries
    expect(restored).toMatchObject({
      changes,
      restores: { entryId: edited?.id, at: edited?.at },
    })
    expect((await undo(id, { version: 3 })).body.activity).toMatchObject({ title: 'Mail', summary: 'Long' })
  })

  test('keeps values that were changed since, unless they are to be overwritten', async () => {
    const { id } = await make({ summary: 'Short' })
    await patch(id, { title: 'Mail', summary: 'Long' })
    await patch(id, { title: 'Meet' })
    const dry = await undo(id, { version: 2 }, '?dryRun=true')
    const conflict = {
      ...{ field: 'title', code: 'value_changed', from: 'Call', to: 'Mail', current: 'Meet' },
      ...{ otherRecordId: null, message: 'title: the value was changed since.' },
    }
    const summary = { from: 'Long', to: 'Short' }
    expect(dry.body).toMatchObject({ changes: { summary }, conflicts: [conflict] })
    expect(await read(id)).toMatchObject({ title: 'Meet', summary: 'Long', version: 3 })
    expect((await undo(id, { version: 2 })).body).toMatchObject({
      changes: { summary },
      conflicts: [conflict],
    })
    expect(await read(id)).toMatchObject({ title: 'Meet', summary: 'Short', version: 4 })
    const forced = await undo(id, { version: 2, overwrite: ['title'] })
    expect(forced.body).toMatchObject({ changes: { title: { from: 'Meet', to: 'Call' } }, conflicts: [] })
    expect(await read(id)).toMatchObject({ title: 'Call', summary: 'Short', version: 5 })
    expectError(await undo(id, { version: 2, overwrite: ['assignee'] }), 'validation_error')
  })

  test('does not restore a link to a record that was deleted', async () => {
    const { body: ada } = await org.post<{ id: string; objectId: string }>('/objects/people/records', {
      data: { name: 'Ada' },
    })
    const { id } = await make({ linkedRecords: [{ objectId: ada.objectId, recordId: ada.id }] })
    await patch(id, { linkedRecords: [], title: 'Mail' })
    await org.delete(`/objects/people/records/${ada.id}`)
    const { body } = await undo(id, { version: 2 })
    expect(body.conflicts).toMatchObject([
      { field: 'linkedRecords', code: 'record_deleted', otherRecordId: ada.id },
    ])
    expect(await read(id)).toMatchObject({ title: 'Call', linkedRecords: [] })
  })

  test('refuses other versions, and changes older than a day', async () => {
    const { id } = await make()
    expectError(await undo(id, { version: 2 }), 'not_found')
    expectError(await undo(id, { version: 1 }), 'validation_error')
    await patch(id, { title: 'Mail' })
    await db.run(sql`
      update events set id = '01980000-0000-7000-8000-000000000001' where org = ${org.org} and version = 1`)
    await db.run(sql`
      update events set id = '01980000-0000-7000-8000-000000000002' where org = ${org.org} and version = 2`)
    expectError(await undo(id, { version: 2 }), 'undo_expired')
  })

  test('an undone change is no longer listed as a change set, unless a value stays', async () => {
    const { id } = await make()
    const [first, second] = [newId(), newId()]
    const { version } = await patch(id, { title: 'Mail' }, inSet(first))
    expect(await setIds()).toContain(first)
    await undo(id, { version }, '?dryRun=true')
    expect(await setIds()).toContain(first)
    await undo(id, { version })
    expect(await setIds()).not.toContain(first)
    const again = await patch(id, { title: 'Mail' }, inSet(second))
    await patch(id, { title: 'Meet' })
    await undo(id, { version: again.version })
    expect(await setIds()).toContain(second)
  })
})

test('an undo job says in the history which change it undid', async () => {
  const { id } = await make()
  const set = newId()
  await patch(id, { title: 'Mail' }, inSet(set))
  expect(await undoSet(org, setOf(set))).toMatchObject({ restored: 1 })
  const [restored, edited] = (await history(id)).entries
  expect(restored).toMatchObject({
    changes: { title: { from: 'Mail', to: 'Call' } },
    restores: { entryId: edited?.id },
  })
})
