// Reassigns records and tasks of a member to another member, over HTTP and by the job.
import sql from 'sql-template-tag'
import { beforeEach, describe, expect, test } from 'vitest'
import type { ChangeSet } from '../../contract/change-sets.ts'
import type { Member } from '../../contract/members.ts'
import type { Assignments, Reassignment } from '../../contract/reassignments.ts'
import type { UndoJob } from '../../contract/undo-jobs.ts'
import { workOnUndo } from '../change-sets/jobs.ts'
import { bodyOf, buildTeam, expectError, type Team } from '../test/factories.ts'
import { sharedTestService } from '../test/shared-service.ts'
import { workOnReassignment } from './jobs.ts'

const service = await sharedTestService()
const never = new AbortController().signal
const DEALS = '/objects/deals/records'
const NO_SUCH = '0198c0de-0000-7000-8000-00000000dead'

let team: Team

beforeEach(async () => {
  team = await buildTeam(service)
})

const create = async (path: string, body: object): Promise<string> =>
  bodyOf(await team.org.post<{ id: string }>(path, body), 201).id

const deal = (data: object) => create(DEALS, { data: { name: 'Deal', ...data } })
const task = (more: object = {}) =>
  create('/activities', {
    type: 'task',
    title: 'Call',
    activityDate: '2026-11-24T09:00:00Z',
    assignee: team.mia.userId,
    ...more,
  })
const ownerOf = async (id: string) =>
  (await team.org.get<{ data: { owner?: string } }>(`${DEALS}/${id}`)).body.data.owner
const assigneeOf = async (id: string) =>
  (await team.org.get<{ assignee: string | null }>(`/activities/${id}`)).body.assignee

async function membershipOf(userId: string): Promise<string> {
  const { body } = await team.org.get<{ members: Member[] }>('/members')
  return body.members.find(({ user }) => user.id === userId)?.id ?? ''
}

const start = (to: string | null, from = team.mia.userId) =>
  team.admin.post<Reassignment>('/reassignments', { from, to })
const work = ({ id }: Pick<Reassignment, 'id'>, signal = never) =>
  workOnReassignment(service.ctx, { org: team.org.org, id }, signal)
const latest = async () =>
  (await team.admin.get<{ reassignments: Reassignment[] }>('/reassignments')).body.reassignments[0]

test('the records and open tasks of a member are counted', async () => {
  const { mia, admin } = team
  await deal({ owner: mia.userId })
  await deal({ owner: mia.userId })
  await deal({ owner: admin.userId })
  await task()
  await task({ completedAt: '2026-11-24T10:00:00Z' })
  const { body } = await admin.get<Assignments>(`/members/${await membershipOf(mia.userId)}/assignments`)
  expect(body).toEqual({
    records: [
      {
        objectId: expect.any(String),
        singularName: 'Deal',
        pluralName: 'Deals',
        attribute: 'Owner',
        count: 2,
      },
    ],
    openTasks: 1,
  })
})

describe('a reassignment', () => {
  test('moves records and open tasks to another member, with events by the requesting member', async () => {
    const { org, admin, mia, max } = team
    const [mine, other] = [await deal({ owner: mia.userId }), await deal({ owner: admin.userId })]
    const [open, done] = [await task(), await task({ completedAt: '2026-11-24T10:00:00Z' })]
    const { status, body } = await start(max.userId)
    expect([status, body.state, body.total]).toEqual([201, 'running', 2])
    await work(body)
    expect(await latest()).toMatchObject({ state: 'completed', changed: 2, failed: 0, problem: null })
    expect([await ownerOf(mine), await ownerOf(other)]).toEqual([max.userId, admin.userId])
    expect([await assigneeOf(open), await assigneeOf(done)]).toEqual([max.userId, mia.userId])
    const changes = (await org.events()).flatMap(({ changes: one }) => one?.['owner'] ?? [])
    expect(changes).toEqual([{ from: mia.userId, to: max.userId }])
    const history = await admin.get<{ changes: { user: { id: string } | null }[] }>(
      `${DEALS}/${mine}/history`,
    )
    expect(JSON.stringify(history.body)).toContain(admin.userId)
  })

  test('is listed as a change set, and its values and tasks are undone as one', async () => {
    const { org, admin, mia, max } = team
    const [one, id] = [await deal({ owner: mia.userId }), await task()]
    const { body: job } = await start(max.userId)
    await work(job)
    expect([await ownerOf(one), await assigneeOf(id)]).toEqual([max.userId, max.userId])
    const { changeSets } = (await admin.get<{ changeSets: ChangeSet[] }>('/change-sets')).body
    const listed = changeSets.filter((set) => set.id === job.id)
    expect(listed).toMatchObject([{ kind: 'reassignment', name: 'Mia Member', changes: 2 }])
    const reader = { authorization: `Bearer ${await org.keyWith(['records:read'])}` }
    const reply = await service.inject({ method: 'GET', url: '/api/v1/change-sets', headers: reader })
    expect(JSON.parse(reply.payload)['changeSets']).toContainEqual(
      expect.objectContaining({ kind: 'reassignment', id: job.id, name: null }),
    )
    const asked = { kind: 'reassignment', id: job.id }
    await service.ctx.db.run(
      sql`update reassignments set state = 'running' where org = ${org.org} and id = ${job.id}`,
    )
    expectError(await admin.post('/undo-jobs', asked), 'wrong_state')
    await service.ctx.db.run(
      sql`update reassignments set state = 'completed' where org = ${org.org} and id = ${job.id}`,
    )
    const undo = await admin.post<UndoJob>('/undo-jobs', asked)
    const missing = await admin.post('/undo-jobs', { kind: 'reassignment', id: NO_SUCH })
    expectError(missing, 'validation_error')
    expect([undo.status, undo.body]).toMatchObject([
      201,
      { kind: 'reassignment', sourceId: job.id, total: 2 },
    ])
    await workOnUndo(service.ctx, { org: org.org, id: undo.body.id }, never)
    expect((await admin.get<UndoJob>(`/undo-jobs/${undo.body.id}`)).body).toMatchObject({
      ...{ kind: 'reassignment', status: 'completed', restored: 2, conflictCount: 0 },
    })
    expect([await ownerOf(one), await assigneeOf(id)]).toEqual([mia.userId, mia.userId])
  })

  test('clears values, and replaces one of several values', async () => {
    const { org, mia, max } = team
    await org.post('/objects/deals/attributes', {
      name: 'Helpers',
      type: 'member',
      isList: true,
    })
    const helpers = [max.userId, mia.userId]
    const [one, two] = [await deal({ helpers }), await deal({ owner: mia.userId })]
    await work((await start(max.userId)).body)
    const { body } = await org.get<{ data: { helpers: string[] } }>(`${DEALS}/${one}`)
    expect(body.data.helpers).toEqual([max.userId])
    expect(await ownerOf(two)).toBe(max.userId)
    await work((await start(null, max.userId)).body)
    expect(await ownerOf(two)).toBeUndefined()
    expect((await org.get<{ data: object }>(`${DEALS}/${one}`)).body.data).toHaveProperty('helpers', [])
  })

  test('of more records than one batch changes each record once, even after a stop', async () => {
    const { org, mia, max } = team
    const records = Array.from({ length: 50 }, () => ({ data: { name: 'Deal', owner: mia.userId } }))
    for (let n = 0; n < 5; n++)
      expect((await org.post(`${DEALS}/bulk`, { mode: 'create', records })).status).toBe(200)
    const { body } = await start(max.userId)
    // Called before each batch: once for people, once for companies, then for deals.
    let batches = 0
    const throwIfAborted = () => {
      batches++
      if (batches === 4) throw new Error('stopped')
    }
    await expect(work(body, { throwIfAborted } as AbortSignal)).rejects.toThrow('stopped')
    expect(await latest()).toMatchObject({ state: 'running', changed: 100 })
    await work(body)
    expect(await latest()).toMatchObject({ state: 'completed', total: 250, changed: 250, failed: 0 })
    const changed = (await org.events()).filter(({ changes }) => changes?.['owner'])
    expect(changed).toHaveLength(250)
  })

  test('counts the values that could not be changed, with the reason, and continues', async () => {
    const { org, mia, max } = team
    const required = { name: 'Lead', type: 'member', isRequired: true }
    expect((await org.post('/objects/deals/attributes', required)).status).toBe(201)
    const id = await deal({ lead: mia.userId, owner: mia.userId })
    await work((await start(null)).body)
    expect(await latest()).toMatchObject({ state: 'completed', total: 2, changed: 1, failed: 1 })
    expect((await latest())?.problem).toContain('lead')
    expect(await ownerOf(id)).toBeUndefined()
    await work((await start(max.userId)).body)
    expect(await latest()).toMatchObject({ changed: 1, failed: 0 })
  })

  test('of a former member works, and is cancelled if the requesting member has left', async () => {
    const { org, admin, mia, max } = team
    const id = await deal({ owner: mia.userId })
    const owner = await org.member('owner')
    expect((await owner.delete(`/members/${await membershipOf(mia.userId)}`)).status).toBe(200)
    const { body } = await start(max.userId)
    expect((await owner.delete(`/members/${await membershipOf(admin.userId)}`)).status).toBe(200)
    await work(body)
    expect(await ownerOf(id)).toBe(mia.userId)
    const { body: list } = await owner.get<{ reassignments: Reassignment[] }>('/reassignments')
    expect(list.reassignments).toMatchObject([{ state: 'cancelled', changed: 0 }])
    const again = await owner.post<Reassignment>('/reassignments', { from: mia.userId, to: max.userId })
    await work(again.body)
    expect(await ownerOf(id)).toBe(max.userId)
  })

  test('of own records continues after the member has left, with the member as author', async () => {
    const { org, admin, max } = team
    const id = await deal({ owner: admin.userId })
    const { body } = await start(max.userId, admin.userId)
    expect((await admin.delete(`/members/${await membershipOf(admin.userId)}`)).status).toBe(200)
    await work(body)
    expect(await ownerOf(id)).toBe(max.userId)
    expect((await org.events()).at(-1)).toMatchObject({ type: 'record.updated' })
  })

  test('can be cancelled, and values that were already changed stay changed', async () => {
    const { mia, max, admin } = team
    const id = await deal({ owner: mia.userId })
    const { body } = await start(max.userId)
    const cancelled = await admin.post<Reassignment>(`/reassignments/${body.id}/cancel`, {})
    expect(cancelled).toMatchObject({ status: 200, body: { state: 'cancelled' } })
    await work(body)
    expect(await ownerOf(id)).toBe(mia.userId)
    expect((await admin.post<Reassignment>(`/reassignments/${body.id}/cancel`, {})).body.finishedAt).toBe(
      cancelled.body.finishedAt,
    )
  })
})

describe('refuses a request', () => {
  test.each([
    ['from a user who was never a member', () => ({ from: NO_SUCH, to: null }), 'from'],
    ['to a user who is no member', () => ({ from: team.mia.userId, to: NO_SUCH }), 'to'],
    ['to the same member', () => ({ from: team.mia.userId, to: team.mia.userId }), 'to'],
  ])('%s', async (_, body, path) => {
    const refused = await team.admin.post('/reassignments', body())
    expectError(refused, 'validation_error')
    expect(refused.body).toMatchObject({ details: { errors: [{ path }] } })
  })

  test('for a member of another organization, and from another organization', async () => {
    const other = await (await service.org()).member('admin')
    expectError(await start(other.userId), 'validation_error')
    expectError(await start(null, other.userId), 'validation_error')
    const { body } = await start(team.max.userId)
    expectError(await other.post(`/reassignments/${body.id}/cancel`, {}), 'not_found')
    expectError(await other.get(`/members/${await membershipOf(team.mia.userId)}/assignments`), 'not_found')
    expect((await other.get('/reassignments')).body['reassignments']).toEqual([])
  })

  test('for a missing reassignment or member', async () => {
    for (const id of [NO_SUCH, 'x']) {
      expectError(await team.admin.post(`/reassignments/${id}/cancel`, {}), 'not_found')
      expectError(await team.admin.get(`/members/${id}/assignments`), 'not_found')
    }
  })

  test('by a member without the role admin', async () => {
    const { mia, max } = team
    expectError(await mia.post('/reassignments', { from: mia.userId, to: max.userId }), 'insufficient_role')
    expectError(await mia.get('/reassignments'), 'insufficient_role')
    expectError(await mia.post(`/reassignments/${NO_SUCH}/cancel`, {}), 'insufficient_role')
    expectError(await mia.get(`/members/${NO_SUCH}/assignments`), 'insufficient_role')
  })
})
