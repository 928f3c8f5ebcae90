// Reminders of records and tasks: set, changed, delivered and cancelled.
import sql from 'sql-template-tag'
import { beforeEach, describe, expect, test } from 'vitest'
import { mentionOf } from '../../contract/mentions.ts'
import type { Inbox } from '../../contract/notifications.ts'
import type { Reminder } from '../../contract/reminders.ts'
import { buildTestService } from '../test/build-app.ts'
import type { SignedInMember } from '../test/dashboard-client.ts'
import { bodyOf, expectError, type Org } from '../test/factories.ts'
import { deliverReminders } from './jobs.ts'

const service = await buildTestService()
const { ctx } = service
const never = new AbortController().signal
const HOUR = 3_600_000
const NO_SUCH = '0198c0de-0000-7000-8000-00000000dead'

let org: Org
let mia: SignedInMember
let deal: string

beforeEach(async () => {
  org = await service.org()
  mia = await org.member('member')
  deal = await makeDeal('Rocket')
})

const makeDeal = async (name: string) =>
  (await org.post<{ id: string }>('/objects/deals/records', { data: { name } })).body.id
const inHours = (hours: number) => new Date(ctx.clock.now().getTime() + hours * HOUR).toISOString()
const task = async (more: object = {}) =>
  (await org.post<{ id: string }>('/activities', { type: 'task', title: 'Call', ...more })).body.id
const remind = (body: object) => mia.post<Reminder>('/reminders', body)
const ofDeal = (more: object = {}) => ({
  record: { objectId: 'deals', recordId: deal },
  at: inHours(1),
  ...more,
})
const list = async (query = '') =>
  (await mia.get<{ reminders: Reminder[] }>(`/reminders${query}`)).body.reminders
const inbox = async () => (await mia.get<Inbox>('/inbox')).body.notifications

test('a note shows only names of members and former members of the organization', async () => {
  const [max, left] = await org.members('member', 'member')
  const stranger = await (await service.org()).member('admin')
  await ctx.directory.run(
    sql`delete from members where organization_id = ${org.id} and user_id = ${left.userId}`,
  )
  await ctx.directory.run(sql`update users set name = 'Secret Stranger' where id = ${stranger.userId}`)
  await ctx.directory.run(sql`update users set name = 'Max' where id = ${max.userId}`)
  await ctx.directory.run(sql`update users set name = 'Leo' where id = ${left.userId}`)
  await ctx.cells.copy()
  const note = [max, left, stranger].map(({ userId }) => mentionOf(userId)).join(' ')
  expect((await remind(ofDeal({ note }))).status).toBe(201)
  service.advance(2 * HOUR)
  await deliverReminders(ctx, never)
  expect(await inbox()).toMatchObject([{ text: '@Max @Leo @former member' }])
})

test('a due reminder of a record is delivered once, with its note', async () => {
  const body = bodyOf(await remind(ofDeal({ note: 'Ask for the signature' })), 201)
  expect(body).toMatchObject({
    subject: { type: 'record', id: deal, name: 'Rocket' },
    note: 'Ask for the signature',
    beforeMinutes: null,
  })
  expect(await list(`?recordId=${deal}`)).toEqual([body])
  await deliverReminders(ctx, never)
  expect(await inbox()).toEqual([])
  service.advance(2 * HOUR)
  await deliverReminders(ctx, never)
  await deliverReminders(ctx, never)
  expect(await inbox()).toMatchObject([
    { kind: 'reminder', subject: { type: 'record', id: deal }, text: 'Ask for the signature' },
  ])
  expect(await list()).toEqual([])
})

test('a reminder before the due date of a task follows that date, also after it was delivered', async () => {
  const id = await task({ activityDate: inHours(3) })
  const { body } = await remind({ activityId: id, beforeMinutes: 60 })
  expect(body.at).toBe(inHoursOf(await dueOf(id), -1))
  await org.patch(`/activities/${id}`, { activityDate: inHours(5) })
  expect((await list(`?activityId=${id}`))[0]?.at).toBe(inHoursOf(await dueOf(id), -1))
  service.advance(4.5 * HOUR)
  await deliverReminders(ctx, never)
  expect(await inbox()).toHaveLength(1)
  await org.patch(`/activities/${id}`, { activityDate: inHours(30) })
  service.advance(30 * HOUR)
  await deliverReminders(ctx, never)
  expect(await inbox()).toHaveLength(2)
})

const dueOf = async (id: string) =>
  (await org.get<{ activityDate: string }>(`/activities/${id}`)).body.activityDate
const inHoursOf = (timestamp: string, hours: number) =>
  new Date(new Date(timestamp).getTime() + hours * HOUR).toISOString()

test('a reminder of a completed task is not delivered', async () => {
  const id = await task({ activityDate: inHours(3) })
  await remind({ activityId: id, at: inHours(1) })
  await org.patch(`/activities/${id}`, { completedAt: ctx.clock.now().toISOString() })
  service.advance(2 * HOUR)
  await deliverReminders(ctx, never)
  expect(await inbox()).toEqual([])
})

test('a reminder can be changed and cancelled', async () => {
  const { body } = await remind(ofDeal())
  const changed = await mia.patch<Reminder>(`/reminders/${body.id}`, { at: inHours(9), note: 'Later' })
  expect(changed.body).toMatchObject({ id: body.id, note: 'Later' })
  expect((await mia.patch<Reminder>(`/reminders/${body.id}`, {})).body).toEqual(changed.body)
  expect((await mia.delete(`/reminders/${body.id}`)).body).toEqual({ id: body.id, deleted: true })
  expectError(await mia.delete(`/reminders/${body.id}`), 'not_found')
  service.advance(10 * HOUR)
  await deliverReminders(ctx, never)
  expect(await inbox()).toEqual([])
})

test('a reminder of a record in the trash is hidden, and shown again after a restore', async () => {
  await remind(ofDeal())
  await org.delete(`/objects/deals/records/${deal}`)
  expect(await list()).toEqual([])
  service.advance(2 * HOUR)
  await deliverReminders(ctx, never)
  expect(await inbox()).toEqual([])
  await org.post(`/objects/deals/trash/${deal}/restore`, {})
  expect(await inbox()).toHaveLength(1)
})

test('a merge moves a reminder to the winner, and undoing the merge moves it back', async () => {
  const winner = await makeDeal('Rocket 2')
  await remind(ofDeal())
  const merge = await org.post<{ mergeId: string }>('/objects/deals/records/merge', {
    winnerId: winner,
    loserIds: [deal],
  })
  expect(await list(`?recordId=${winner}`)).toHaveLength(1)
  await org.post(`/objects/deals/merges/${merge.body.mergeId}/undo`, {})
  expect(await list(`?recordId=${deal}`)).toHaveLength(1)
})

describe('rejects', () => {
  test.each([
    ['no subject', () => ({ at: inHours(1) }), 'record'],
    ['two subjects', () => ofDeal({ activityId: NO_SUCH }), 'record'],
    ['no time', () => ofDeal({ at: undefined }), 'at'],
    ['two times', () => ofDeal({ beforeMinutes: 5 }), 'at'],
    ['a time that is over', () => ofDeal({ at: inHours(-1) }), 'at'],
    ['a day that does not exist', () => ofDeal({ at: '2027-02-30T10:00:00Z' }), 'at'],
    ['a record without a due date', () => ofDeal({ at: undefined, beforeMinutes: 5 }), 'beforeMinutes'],
    ['a long note', () => ofDeal({ note: 'x'.repeat(501) }), 'note'],
  ])('%s', async (_, body, path) => {
    const refused = await remind(body())
    expectError(refused, 'validation_error')
    expect(refused.body).toMatchObject({ details: { errors: [{ path }] } })
  })

  test('tasks without a due date, and notes', async () => {
    expectError(await remind({ activityId: await task(), beforeMinutes: 5 }), 'validation_error')
    const note = await org.post<{ id: string }>('/activities', { title: 'Note' })
    expectError(await remind({ activityId: note.body.id, at: inHours(1) }), 'validation_error')
  })

  test('unknown records, tasks and reminders, and reminders of another member', async () => {
    const { body } = await remind(ofDeal())
    const stranger = await (await service.org()).member('owner')
    for (const other of [stranger, await org.member('owner')]) {
      expectError(await other.patch(`/reminders/${body.id}`, { note: 'x' }), 'not_found')
      expectError(await other.delete(`/reminders/${body.id}`), 'not_found')
    }
    expectError(await stranger.post('/reminders', ofDeal()), 'not_found')
    expectError(await remind({ activityId: NO_SUCH, at: inHours(1) }), 'not_found')
    expectError(await remind(ofDeal({ record: { objectId: 'deals', recordId: NO_SUCH } })), 'not_found')
    for (const id of [NO_SUCH, 'x'])
      expectError(await mia.patch(`/reminders/${id}`, { note: 'x' }), 'not_found')
  })
})
