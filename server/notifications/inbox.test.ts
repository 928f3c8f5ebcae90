// The inbox of a member: its notifications and its routes.
import sql from 'sql-template-tag'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Inbox, Notification, NotificationSettings } from '../../contract/notifications.ts'
import { newId } from '../base/id.ts'
import { buildTestService } from '../test/build-app.ts'
import type { SignedInMember } from '../test/dashboard-client.ts'
import { bodyOf, buildTeam, expectError, type Org, type Team } from '../test/factories.ts'
import { createDisable } from '../webhooks/delivery/disable.ts'
import { insertEndpoint } from '../webhooks/endpoint.fixture.ts'
import { insertWorkflow, step } from '../workflows/workflow.fixture.ts'
import { forgetOldNotifications } from './jobs.ts'

const service = await buildTestService()
const { ctx } = service
const DEALS = '/objects/deals/records'

let team: Team

beforeEach(async () => {
  team = await buildTeam(service)
})

const makeDeal = async (by: Pick<Org, 'post'> | SignedInMember, data: object): Promise<string> =>
  (await by.post<{ id: string }>(DEALS, { data: { name: 'Rocket', ...data } })).body.id
const makeTask = async (by: Pick<Org, 'post'> | SignedInMember, more: object = {}): Promise<string> =>
  (await by.post<{ id: string }>('/activities', { type: 'task', title: 'Call', ...more })).body.id

async function list(of: SignedInMember, query = ''): Promise<Notification[]> {
  await service.notifyMembers()
  return bodyOf(await of.get<Inbox>(`/inbox${query}`)).notifications
}
const unread = async (of: SignedInMember) => (await of.get<{ unread: number }>('/inbox/unread')).body.unread
/** One line for each notification: kind, count and name of the subject. */
const summary = async (of: SignedInMember) =>
  (await list(of)).map(({ kind, count, subject }) => `${kind} ${count} ${subject.name}`)

/** Makes existing notifications too old for later ones to be counted with them. */
const letTimePass = () =>
  ctx.db.run(sql`
    update notifications set changed_at = changed_at - interval '1 hour' where org = ${team.org.org}`)

describe('a record', () => {
  test('that is assigned to a member notifies them, and names the actor and the attribute', async () => {
    const { admin, mia } = team
    const id = await makeDeal(admin, { owner: mia.userId })
    expect(await list(mia)).toMatchObject([
      {
        kind: 'assigned',
        count: 1,
        actor: { id: admin.userId },
        workflow: null,
        attribute: 'owner',
        subject: { type: 'record', id, name: 'Rocket' },
        readAt: null,
      },
    ])
    expect(await unread(mia)).toBe(1)
    expect(await list(admin)).toEqual([])
  })

  test('does not notify of an assignment to oneself, a removal, or another change', async () => {
    const { admin, mia, max } = team
    const id = await makeDeal(mia, { owner: mia.userId })
    await mia.patch(`${DEALS}/${id}`, { data: { owner: max.userId } })
    await max.patch(`${DEALS}/${id}`, { data: { owner: mia.userId } })
    await admin.patch(`${DEALS}/${id}`, { data: { name: 'Anvil' } })
    await admin.patch(`${DEALS}/${id}`, { data: { owner: null } })
    expect(await summary(mia)).toEqual(['assigned 1 Anvil'])
    expect(await summary(max)).toEqual(['assigned 1 Anvil'])
  })

  test('whose list gets further members notifies only the added members', async () => {
    const { org, admin, mia, max } = team
    const helpers = { name: 'Helpers', type: 'member', isList: true }
    expect((await org.post('/objects/deals/attributes', helpers)).status).toBe(201)
    const id = await makeDeal(admin, { owner: admin.userId, helpers: [mia.userId] })
    await letTimePass()
    await admin.patch(`${DEALS}/${id}`, { data: { helpers: [max.userId, mia.userId] } })
    expect(await summary(mia)).toEqual(['assigned 1 Rocket'])
    expect(await list(max)).toMatchObject([{ attribute: 'helpers' }])
  })

  test('and hundreds of others in bulk requests are one notification', async () => {
    const { org, mia } = team
    const records = Array.from({ length: 100 }, (_, nr) => ({
      data: { name: `Deal ${nr}`, owner: mia.userId },
    }))
    for (let nr = 0; nr < 3; nr++)
      expect((await org.post(`${DEALS}/bulk`, { mode: 'create', records })).body).toMatchObject({
        created: 100,
      })
    expect((await list(mia)).map(({ count }) => count)).toEqual([300])
    await letTimePass()
    await makeDeal(org, { owner: mia.userId })
    expect((await list(mia)).map(({ count }) => count)).toEqual([1, 300])
  })

  test('assigned after the last notification was read is another notification', async () => {
    const { org, mia } = team
    await makeDeal(org, { owner: mia.userId })
    expect(await list(mia)).toHaveLength(1)
    await mia.post('/inbox/read')
    await makeDeal(org, { owner: mia.userId })
    expect(await list(mia)).toHaveLength(2)
    expect(await unread(mia)).toBe(1)
  })

  test('in the trash has no notification; restoring the record shows it again', async () => {
    const { org, mia } = team
    const id = await makeDeal(org, { owner: mia.userId })
    expect(await list(mia)).toHaveLength(1)
    await org.delete(`${DEALS}/${id}`)
    expect([await list(mia), await unread(mia)]).toEqual([[], 0])
    await org.post(`/objects/deals/trash/${id}/restore`, {})
    expect([(await list(mia)).length, await unread(mia)]).toEqual([1, 1])
  })

  test('assigned by a workflow notifies its author too, and names the workflow', async () => {
    const { org, admin } = team
    await insertWorkflow(
      ctx,
      { org: org.org, userId: admin.userId },
      {
        trigger: 'record/created',
        triggerConfig: { objectId: 'deals' },
        steps: [
          step('update_record', {
            object: 'deals',
            recordId: '{{trigger.recordId}}',
            data: { owner: admin.userId },
          }),
        ],
      },
      { name: 'Route leads' },
    )
    await makeDeal(org, { owner: null })
    await service.runWorkflows()
    expect(await list(admin)).toMatchObject([
      { kind: 'assigned', actor: null, workflow: { name: 'Route leads' } },
    ])
  })
})

describe('a task', () => {
  test('that is assigned to a member notifies them; a task that they assign to themselves does not', async () => {
    const { admin, mia } = team
    const id = await makeTask(admin, { assignee: mia.userId })
    await makeTask(mia, { assignee: mia.userId })
    expect(await list(mia)).toMatchObject([
      { kind: 'assigned', count: 1, subject: { type: 'task', id, name: 'Call', objectId: null } },
    ])
  })

  test('notifies when its assignee changes, not when another field changes or when it is done', async () => {
    const { admin, mia, max } = team
    const id = await makeTask(admin, { assignee: mia.userId })
    await admin.patch(`/activities/${id}`, { title: 'Call again' })
    await admin.patch(`/activities/${id}`, { assignee: max.userId })
    await admin.patch(`/activities/${id}`, { completedAt: '2026-11-20T10:00:00Z', assignee: mia.userId })
    expect(await summary(mia)).toEqual(['assigned 1 Call again'])
    expect(await summary(max)).toEqual(['assigned 1 Call again'])
    await admin.delete(`/activities/${id}`)
    expect(await list(mia)).toEqual([])
  })

  test('and several others are one notification', async () => {
    const { admin, mia } = team
    for (let nr = 0; nr < 3; nr++) await makeTask(admin, { assignee: mia.userId })
    expect((await list(mia)).map(({ count }) => count)).toEqual([3])
  })
})

test('tasks that the runs of one workflow assign are one notification', async () => {
  const { org, admin, mia } = team
  await insertWorkflow(
    ctx,
    { org: org.org, userId: admin.userId },
    {
      trigger: 'record/created',
      triggerConfig: { objectId: 'deals' },
      steps: [step('create_activity', { type: 'task', title: 'Call', assignee: mia.userId })],
    },
    { name: 'Follow up' },
  )
  for (let nr = 0; nr < 3; nr++) await makeDeal(org, { owner: null })
  await service.runWorkflows()
  expect(await list(mia)).toMatchObject([{ kind: 'assigned', count: 3, workflow: { name: 'Follow up' } }])
})

describe('a workflow that fails', () => {
  const failing = (createdBy: string) =>
    insertWorkflow(
      ctx,
      { org: team.org.org, userId: createdBy },
      {
        trigger: 'record/created',
        triggerConfig: { objectId: 'deals' },
        steps: [step('fail', { message: 'No luck' })],
      },
      { name: 'Doomed' },
    )

  test('notifies its author and admins; failures are counted in one notification until it is read', async () => {
    const { org, admin, mia, max } = team
    await failing(mia.userId)
    for (let nr = 0; nr < 3; nr++) await makeDeal(org, {})
    await service.runWorkflows()
    for (const one of [mia, admin])
      expect(await list(one)).toMatchObject([
        { kind: 'workflow', count: 3, subject: { type: 'workflow', name: 'Doomed' }, text: 'No luck' },
      ])
    expect(await list(max)).toEqual([])
    await mia.post('/inbox/read')
    await makeDeal(org, {})
    await service.runWorkflows()
    expect((await list(mia)).map(({ count }) => count)).toEqual([1, 3])
    expect((await list(admin)).map(({ count }) => count)).toEqual([4])
  })
})

test('a disabled endpoint notifies admins once, also when it is disabled again, and no members', async () => {
  const { org, admin, mia } = team
  const { endpoint } = await insertEndpoint(ctx, org.org, { url: 'https://receiver.example' })
  const disable = createDisable(ctx, () => sql`now()`)
  await disable({ org: org.org, endpoint }, { reason: 'manual' })
  await disable({ org: org.org, endpoint }, { reason: 'manual' })
  expect(await list(admin)).toMatchObject([
    { kind: 'endpoint', subject: { type: 'endpoint', id: endpoint, name: 'https://receiver.example' } },
  ])
  expect(await list(mia)).toEqual([])
})

describe('a notification', () => {
  let [first, second] = ['', '']
  beforeEach(async () => {
    const { org, mia } = team
    await makeDeal(org, { name: 'One', owner: mia.userId })
    await service.notifyMembers()
    await letTimePass()
    await makeTask(org, { title: 'Two', assignee: mia.userId })
    ;[second, first] = (await list(mia)).map(({ id }) => id) as [string, string]
  })

  test('is marked as read, and as unread again', async () => {
    const { mia } = team
    const read = await mia.patch<Notification>(`/inbox/${first}`, { isRead: true })
    expect(read.body.readAt).toEqual(expect.any(String))
    expect(await unread(mia)).toBe(1)
    expect((await list(mia, '?state=unread')).map(({ id }) => id)).toEqual([second])
    expect((await mia.patch<Notification>(`/inbox/${first}`, { isRead: false })).body.readAt).toBeNull()
    expect(await unread(mia)).toBe(2)
    expect((await mia.patch<Notification>(`/inbox/${first}`, {})).status).toBe(200)
  })

  test('is marked as read together with all others', async () => {
    const { mia } = team
    expect((await mia.post('/inbox/read')).body).toEqual({ unread: 0 })
    expect((await list(mia)).map(({ readAt }) => typeof readAt)).toEqual(['string', 'string'])
  })

  test('is marked as read when it is archived, and can be moved back to the inbox', async () => {
    const { mia } = team
    await mia.patch(`/inbox/${first}`, { isArchived: true })
    expect((await list(mia)).map(({ id }) => id)).toEqual([second])
    expect(await list(mia, '?state=archived')).toMatchObject([{ id: first, readAt: expect.any(String) }])
    expect(await unread(mia)).toBe(1)
    await mia.patch(`/inbox/${first}`, { isArchived: false })
    expect(await list(mia)).toHaveLength(2)
  })

  test('is deleted', async () => {
    const { mia } = team
    expect((await mia.delete(`/inbox/${first}`)).body).toEqual({ id: first, deleted: true })
    expect((await list(mia)).map(({ id }) => id)).toEqual([second])
    expectError(await mia.delete(`/inbox/${first}`), 'not_found')
    expectError(await mia.patch(`/inbox/${first}`, { isRead: true }), 'not_found')
  })

  test('is filtered by kind, and listed page by page', async () => {
    const { mia, org } = team
    await letTimePass()
    await makeDeal(org, { name: 'Three', owner: mia.userId })
    const all = (await list(mia)).map(({ id }) => id)
    const seen: string[] = []
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const { body }: { body: Inbox } = await mia.get<Inbox>(`/inbox?limit=1${cursor && `&cursor=${cursor}`}`)
      seen.push(...body.notifications.map(({ id }) => id))
      cursor = body.pagination.nextCursor
    }
    expect(seen).toEqual(all)
    expect(await list(mia, '?kind=mentioned')).toEqual([])
    expect(await list(mia, '?kind=assigned')).toHaveLength(3)
  })

  test('is visible only to its member', async () => {
    const { max, org } = team
    const stranger = await (await service.org()).member('owner')
    for (const other of [max, stranger, await org.member('owner')]) {
      expectError(await other.patch(`/inbox/${first}`, { isRead: true }), 'not_found')
      expectError(await other.delete(`/inbox/${first}`), 'not_found')
      expect(await list(other)).toEqual([])
    }
    for (const id of [newId(), 'x']) expectError(await max.delete(`/inbox/${id}`), 'not_found')
  })

  test('is deleted after 90 days', async () => {
    const { mia } = team
    const in91Days = new Date(Date.now() + 91 * 24 * 3_600_000)
    await forgetOldNotifications(ctx, new AbortController().signal, new Date())
    expect(await list(mia)).toHaveLength(2)
    await forgetOldNotifications(ctx, new AbortController().signal, in91Days)
    expect(await list(mia)).toEqual([])
  })

  test('rejects invalid changes and invalid queries', async () => {
    const { mia } = team
    expectError(await mia.patch(`/inbox/${first}`, { isRead: 'yes' }), 'validation_error')
    expectError(await mia.patch(`/inbox/${first}`, { isLoved: true }), 'validation_error')
    for (const query of ['?state=lost', '?kind=love', '?limit=0', '?cursor=x'])
      expectError(await mia.get(`/inbox${query}`), 'invalid_parameter')
  })
})

describe('settings', () => {
  const settings = async (of: SignedInMember) => (await of.get<NotificationSettings>('/inbox/settings')).body

  test('show all kinds in the inbox by default, and mail only those about endpoints', async () => {
    const { kinds, digestHour, timeZone } = await settings(team.mia)
    expect([digestHour, timeZone]).toEqual([8, null])
    expect(Object.values(kinds).every(({ inApp }) => inApp)).toBe(true)
    expect(Object.entries(kinds).flatMap(([kind, { mail }]) => (mail === 'off' ? [] : [kind]))).toEqual([
      'endpoint',
    ])
  })

  test('keep values that a change does not contain', async () => {
    const { mia } = team
    await mia.patch('/inbox/settings', { kinds: { due: { inApp: false, mail: 'daily' } } })
    const changed = await mia.patch<NotificationSettings>('/inbox/settings', {
      kinds: { assigned: { inApp: true, mail: 'now' } },
      digestHour: 17,
      timeZone: 'Europe/Berlin',
    })
    expect(changed.body).toMatchObject({
      kinds: {
        due: { inApp: false, mail: 'daily' },
        assigned: { inApp: true, mail: 'now' },
        mentioned: { inApp: true, mail: 'off' },
      },
      digestHour: 17,
      timeZone: 'Europe/Berlin',
    })
    expect(await settings(mia)).toEqual(changed.body)
    expect((await settings(team.max)).digestHour).toBe(8)
  })

  test('turn off a kind only for the member who changes them', async () => {
    const { org, mia, max } = team
    await mia.patch('/inbox/settings', { kinds: { assigned: { inApp: false, mail: 'off' } } })
    await makeTask(org, { assignee: mia.userId })
    await makeTask(org, { assignee: max.userId })
    expect([await summary(mia), await summary(max)]).toEqual([[], ['assigned 1 Call']])
  })

  test.each([
    [{ digestHour: 24 }, 'digestHour'],
    [{ timeZone: 'Mars/Olympus' }, 'timeZone'],
    [{ kinds: { love: { inApp: true, mail: 'off' } } }, 'kinds'],
    [{ kinds: { due: { inApp: true } } }, 'kinds'],
    [{ kinds: { due: { inApp: true, mail: 'weekly' } } }, 'mail'],
  ])('reject %j', async (patch, path) => {
    const refused = await team.mia.patch('/inbox/settings', patch)
    expectError(refused, 'validation_error')
    expect(JSON.stringify(refused.body)).toContain(path)
  })
})
