// Deleted activities are kept in the trash, hidden from all reads, restored unchanged, and deleted permanently.
import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import type { Activity } from '../../../contract/activities.ts'
import { buildTestService } from '../../test/build-app.ts'
import { expectError, type Org } from '../../test/factories.ts'
import { addRecord, create, NO_SUCH } from '../activities.fixture.ts'
import { purgeOldActivities } from './purge.ts'
import { readActivity, restore, restored, trashActivity, trashOf } from './trash.fixture.ts'

const service = await buildTestService()
const { db } = service.ctx

const make = async (org: Org, input: object = {}): Promise<Activity> =>
  (await create(org, input)).body as unknown as Activity

/** Creates a task with a record, a person, an assignee and a due date. */
async function makeTask(org: Org): Promise<Activity> {
  const [acme, ada] = [await addRecord(org, 'companies', 'Acme'), await addRecord(org, 'people')]
  return make(org, {
    title: 'Zebra offer',
    summary: 'By Friday',
    type: 'task',
    assignee: org.userId,
    activityDate: '2020-01-02T10:00:00.000Z',
    linkedRecords: [acme, ada],
    participants: [
      { type: 'user', id: org.userId },
      { type: 'person', id: ada.recordId },
    ],
  })
}

describe('DELETE /activities/:activityId', () => {
  test('moves it to the trash, which lists it unchanged, with the deleting user and the end of its time', async () => {
    const org = await service.org()
    const task = await makeTask(org)
    await trashActivity(org, task.id)
    const { activities, pagination } = await trashOf(org)
    const { updatedAt: _, ...kept } = task
    expect(activities).toEqual([
      {
        ...kept,
        version: 2,
        deletedAt: expect.any(String),
        deletedBy: { id: org.userId, name: 'Olivia Owner', email: `owner-${org.userId}@example.com` },
        purgeAt: expect.any(String),
      },
    ])
    expect(pagination).toEqual({ total: 1, limit: 50, offset: 0 })
    const [{ deletedAt, purgeAt } = { deletedAt: '', purgeAt: '' }] = activities
    expect(Date.parse(purgeAt) - Date.parse(deletedAt)).toBe(30 * 86_400_000)
    expectError(await org.delete(`/activities/${task.id}`), 'not_found')
  })

  test('hides it from every read', async () => {
    const org = await service.org()
    const mia = await org.member('member')
    const task = await makeTask(org)
    const { id } = task
    await org.patch(`/activities/${id}`, { assignee: mia.userId })
    await mia.post('/reminders', { activityId: id, at: '2099-01-01T00:00:00Z' })
    const [{ objectId, recordId } = { objectId: '', recordId: '' }] = task.linkedRecords
    const reads = [
      ['/activities', org],
      [`/activities?recordId=${recordId}`, org],
      [`/activities?objectId=${objectId}`, org],
      ['/activities?q=zebra', org],
      ['/activities?isOverdue=true', org],
      [`/activities?assignee=${mia.userId}`, org],
      ['/search?q=zebra', org],
      ['/home', mia],
      ['/reminders', mia],
      ['/inbox', mia],
    ] as const
    const shown = async () => {
      const found: string[] = []
      for (const [path, who] of reads) {
        const { status, body } = await who.get(path)
        expect({ path, status }).toEqual({ path, status: 200 })
        if (JSON.stringify(body).includes(id)) found.push(path)
      }
      return found
    }
    const before = await shown()
    expect(before).toEqual(reads.map(([path]) => path))
    await trashActivity(org, id)
    expect(await shown()).toEqual([])
    for (const reply of [
      await org.get(`/activities/${id}`),
      await org.patch(`/activities/${id}`, { title: 'Other' }),
      await org.get(`/activities/${id}/attachments`),
      await mia.post('/reminders', { activityId: id, at: '2099-01-01T00:00:00Z' }),
    ])
      expect(reply.status).toBeGreaterThanOrEqual(400)
    expect(await db.many(sql`select from links where org = ${org.org} and id = ${id}`)).toEqual([])
    await restored(org, id)
    expect(await shown()).toEqual(before)
  })
})

describe('POST /trashed-activities/:activityId/restore', () => {
  test('restores it with its next version and an event that starts no workflow', async () => {
    const org = await service.org()
    const task = await makeTask(org)
    await trashActivity(org, task.id)
    const count = (await org.events()).length
    const { status, body } = await restore(org, task.id)
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        activity: { ...task, version: 3, updatedAt: expect.any(String) },
        losses: [],
        lossCount: 0,
      },
    })
    expect(await readActivity(org, task.id)).toEqual(body.activity)
    expect((await org.events()).slice(count)).toEqual([
      { type: 'activity.created', subject: task.id, data: body.activity, changes: null },
    ])
    expect((await trashOf(org)).activities).toEqual([])
    expectError(await restore(org, task.id), 'not_found')
    expect((await org.patch<Activity>(`/activities/${task.id}`, { title: 'Next' })).body.version).toBe(4)
  })

  test('does not find activities outside the trash or of another organization', async () => {
    const [org, other] = [await service.org(), await service.org()]
    const theirs = await make(other)
    await trashActivity(other, theirs.id)
    for (const id of [NO_SUCH, 'lunch', theirs.id, (await make(org)).id]) {
      expectError(await restore(org, id), 'not_found')
      expectError(await org.delete(`/trashed-activities/${id}`), 'not_found')
    }
    expect((await trashOf(org)).activities).toEqual([])
    expect((await trashOf(other)).activities.map(({ id }) => id)).toEqual([theirs.id])
  })

  test('requires the scope activities:write; the list requires activities:read', async () => {
    const org = await service.org()
    const { id } = await make(org)
    await trashActivity(org, id)
    const as = async (scope: 'activities:read' | 'records:write') => ({
      authorization: `Bearer ${await org.keyWith([scope])}`,
    })
    const reading = await as('activities:read')
    expectError(await org.post(`/trashed-activities/${id}/restore`, undefined, reading), 'insufficient_scope')
    expectError(await org.delete(`/trashed-activities/${id}`, undefined, reading), 'insufficient_scope')
    expectError(await org.get('/trashed-activities', await as('records:write')), 'insufficient_scope')
    const { body } = await org.get<{ activities: { deletedBy: object }[] }>('/trashed-activities', reading)
    // Names and emails are only for callers that may read members.
    expect(body.activities).toMatchObject([{ deletedBy: { id: org.userId } }])
    expect(body.activities[0]?.deletedBy).toEqual({ id: org.userId })
  })

  test('restores it once for two concurrent requests', async () => {
    const org = await service.org()
    const { id } = await make(org)
    await trashActivity(org, id)
    const replies = await Promise.all([restore(org, id), restore(org, id)])
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 404])
  })
})

test('the trash is listed in pages, the last deleted first', async () => {
  const org = await service.org()
  const ids: string[] = []
  for (const title of ['a', 'b', 'c']) ids.push((await make(org, { title })).id)
  for (const id of ids) await trashActivity(org, id)
  const first = await trashOf(org, '?limit=2')
  expect(first.activities.map(({ title }) => title)).toEqual(['c', 'b'])
  const next = await trashOf(org, `?limit=2&cursor=${first.pagination.nextCursor}`)
  expect(next.activities.map(({ title }) => title)).toEqual(['a'])
  expect(next.pagination.nextCursor).toBeUndefined()
})

describe('a permanently deleted activity', () => {
  test('cannot be restored', async () => {
    const org = await service.org()
    const { id } = await make(org)
    await trashActivity(org, id)
    expect(await org.delete(`/trashed-activities/${id}`)).toMatchObject({ body: { id, deleted: true } })
    expectError(await restore(org, id), 'not_found')
    expectError(await org.delete(`/trashed-activities/${id}`), 'not_found')
  })

  test('is removed by the job after the trash days of its organization', async () => {
    const [org, other] = [await service.org(), await service.org()]
    const [old, fresh, theirs] = [await make(org), await make(org), await make(other)]
    await trashActivity(org, old.id)
    await trashActivity(org, fresh.id)
    await trashActivity(other, theirs.id)
    await db.run(sql`update organizations set trash_days = 2 where org = ${org.org}`)
    await db.run(sql`
      update trash_activities set deleted_at = now() - interval '3 days'
      where id = any(${[old.id, theirs.id]}::uuid[])`)
    await purgeOldActivities(service.ctx, new AbortController().signal, new Date())
    expect((await trashOf(org)).activities.map(({ id }) => id)).toEqual([fresh.id])
    expect((await trashOf(other)).activities.map(({ id }) => id)).toEqual([theirs.id])
    expect((await readActivity(org, old.id)).id).toBeUndefined()
  })
})
