// Comments on records over HTTP: permissions, mentions, and changes of their records.
import sql from 'sql-template-tag'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Comment, CommentList } from '../../contract/comments.ts'
import { mentionOf } from '../../contract/mentions.ts'
import type { Notification } from '../../contract/notifications.ts'
import { newId } from '../base/id.ts'
import type { Reply, SignedInMember } from '../test/dashboard-client.ts'
import { bodyOf, buildTeam, createRecord, expectError, type Org, type Team } from '../test/factories.ts'
import { sharedTestService } from '../test/shared-service.ts'

const service = await sharedTestService()
const DEALS = '/objects/deals/records'

let team: Team & { deal: string }

const makeDeal = async (org: Org, data: object = {}): Promise<string> =>
  (await createRecord(org, 'deals', { name: 'Rocket', ...data })).id

beforeEach(async () => {
  const made = await buildTeam(service)
  team = { ...made, deal: await makeDeal(made.org) }
})

const at = (id: string) => `${DEALS}/${id}/comments`
type Poster = Pick<Org, 'post'> | Pick<SignedInMember, 'post'>
const write = (by: Poster, text: unknown, deal = team.deal): Promise<Reply<Comment>> =>
  by.post<Comment>(at(deal), { text })
const list = async (deal = team.deal, query = '') =>
  (await team.org.get<CommentList>(`${at(deal)}${query}`)).body
const inbox = async (of: SignedInMember) =>
  (await of.get<{ notifications: Notification[] }>('/inbox')).body.notifications

test('a comment has its author, its mentions and its record, and is listed newest first', async () => {
  const { org, mia, max, deal } = team
  const body = bodyOf(await write(mia, `Ask ${mentionOf(max.userId)}`), 201)
  expect(body).toMatchObject({
    recordId: deal,
    text: `Ask ${mentionOf(max.userId)}`,
    mentions: [{ id: max.userId }],
    createdBy: { id: mia.userId },
    editedAt: null,
  })
  expect((await org.get(`/comments/${body.id}`)).body).toEqual(body)
  const later = await write(org, 'By the API')
  expect(later.body.createdBy.id).toBe(org.userId)
  const { comments, pagination } = await list()
  expect(comments.map(({ id }) => id)).toEqual([later.body.id, body.id])
  expect(pagination).toEqual({ total: 2, limit: 50, offset: 0 })
  expect((await list(deal, '?limit=1&offset=1')).comments.map(({ id }) => id)).toEqual([body.id])
})

test('keeps the text unchanged', async () => {
  const text = '<b>bold</b> & "quotes"\n<script>alert(1)</script> 100 %'
  expect((await write(team.mia, text)).body.text).toBe(text)
})

test('the author can edit a comment, which sets editedAt', async () => {
  const { mia } = team
  const { body } = await write(mia, 'Frist')
  const edited = await mia.patch<Comment>(`/comments/${body.id}`, { text: 'First' })
  expect(edited).toMatchObject({ status: 200, body: { text: 'First', editedAt: expect.any(String) } })
  expect((await mia.patch<Comment>(`/comments/${body.id}`, {})).body).toEqual(edited.body)
})

test('others cannot edit a comment; admins can delete it, and other members only their own', async () => {
  const { admin, mia, max } = team
  const { body } = await write(mia, 'Mine')
  for (const other of [admin, max])
    expectError(await other.patch(`/comments/${body.id}`, { text: 'Yours' }), 'not_author')
  expectError(await max.delete(`/comments/${body.id}`), 'not_author')
  expect((await admin.delete(`/comments/${body.id}`)).body).toEqual({ id: body.id, deleted: true })
  expectError(await mia.get(`/comments/${body.id}`), 'not_found')
  const own = await write(max, 'Oops')
  expect((await max.delete(`/comments/${own.body.id}`)).status).toBe(200)
  expect((await list()).comments).toEqual([])
})

test('events of comments, which are only for open pages, have the id without the text', async () => {
  const { org, mia, max, deal } = team
  const { body } = await write(mia, `Secret for ${mentionOf(max.userId)}`)
  await mia.patch(`/comments/${body.id}`, { text: 'Secret' })
  await mia.delete(`/comments/${body.id}`)
  const events = (await org.events()).filter(({ type }) => type.startsWith('comment.'))
  expect(events.map(({ type }) => type)).toEqual(['comment.created', 'comment.updated', 'comment.deleted'])
  expect(events[0]?.data).toEqual({
    commentId: body.id,
    recordId: deal,
    objectId: body.objectId,
    createdBy: mia.userId,
    mentions: [max.userId],
  })
  expect(JSON.stringify(events)).not.toContain('Secret')
  expectError(await org.get('/events?types=comment.created'), 'invalid_parameter')
})

describe('a mention', () => {
  test('notifies the member once, with the text and a link, and not the author', async () => {
    const { mia, max, deal } = team
    const { body } = await write(mia, `${mentionOf(max.userId)} and ${mentionOf(mia.userId)}: look`)
    await mia.patch(`/comments/${body.id}`, { text: `Look again, ${mentionOf(max.userId)}` })
    const [notification, ...others] = await inbox(max)
    expect(others).toEqual([])
    expect(notification).toMatchObject({
      kind: 'mentioned',
      count: 1,
      actor: { id: mia.userId },
      subject: { type: 'record', id: deal, name: 'Rocket' },
      commentId: body.id,
      text: expect.stringContaining('Look again, @'),
    })
    expect(await inbox(mia)).toEqual([])
  })

  test('that is added later notifies the member', async () => {
    const { admin, mia, max } = team
    const { body } = await write(mia, mentionOf(max.userId))
    await mia.patch(`/comments/${body.id}`, { text: mentionOf(max.userId) + mentionOf(admin.userId) })
    expect(await inbox(max)).toHaveLength(1)
    expect(await inbox(admin)).toHaveLength(1)
  })

  test('is hidden in the inbox when the comment or the record is deleted', async () => {
    const { org, mia, max, deal } = team
    const { body } = await write(mia, mentionOf(max.userId))
    await org.delete(`${DEALS}/${deal}`)
    expect(await inbox(max)).toEqual([])
    await org.post(`/objects/deals/trash/${deal}/restore`, {})
    expect(await inbox(max)).toHaveLength(1)
    await mia.delete(`/comments/${body.id}`)
    expect(await inbox(max)).toEqual([])
  })

  test('of a former member can stay in an edited text', async () => {
    const { org, mia, max } = team
    const { body } = await write(mia, mentionOf(max.userId))
    const members = await org.get<{ members: { id: string; user: { id: string } }[] }>('/members')
    const membership = members.body.members.find(({ user }) => user.id === max.userId)?.id
    const owner = await org.member('owner')
    expect((await owner.delete(`/members/${membership}`)).status).toBe(200)
    const text = `Was ${mentionOf(max.userId)}`
    expect((await mia.patch(`/comments/${body.id}`, { text })).status).toBe(200)
    expectError(await write(mia, text), 'validation_error')
  })
})

describe('refuses', () => {
  test.each([
    ['no text', ''],
    ['blank text', ' \n'],
    ['long text', 'x'.repeat(10_001)],
    ['a number', 7],
    ['a mention of no member', `<@${newId()}>`],
    ['text that no database stores', 'a\u0000b'],
  ])('%s', async (_, text) => {
    const refused = await write(team.mia, text)
    expectError(refused, 'validation_error')
    expect(JSON.stringify(refused.body)).toContain('text')
  })

  test('more mentions than a comment may have', async () => {
    const text = Array.from({ length: 51 }, () => mentionOf(newId())).join('')
    expectError(await write(team.mia, text), 'validation_error')
  })

  test('a member of another organization', async () => {
    const stranger = await (await service.org()).member('owner')
    expectError(await write(team.mia, mentionOf(stranger.userId)), 'validation_error')
    const { body } = await write(team.mia, 'Ours')
    expectError(await stranger.get(`/comments/${body.id}`), 'not_found')
    expectError(await stranger.get(at(team.deal)), 'not_found')
    expectError(await stranger.post(at(team.deal), { text: 'x' }), 'not_found')
  })

  test('comments on an inactive object', async () => {
    const { org, mia } = team
    const made = await org.post<{ id: string }>('/objects', { pluralName: 'Boats', singularName: 'Boat' })
    await org.post(`/objects/boats/attributes`, { name: 'Name', type: 'text' })
    const record = await org.post<{ id: string }>('/objects/boats/records', { data: {} })
    const path = `/objects/boats/records/${record.body.id}/comments`
    const { body } = await mia.post<Comment>(path, { text: 'Ahoy' })
    await org.patch(`/objects/${made.body.id}`, { isActive: false })
    expectError(await mia.post(path, { text: 'x' }), 'object_inactive')
    expectError(await mia.patch(`/comments/${body.id}`, { text: 'x' }), 'object_inactive')
    expectError(await mia.delete(`/comments/${body.id}`), 'object_inactive')
    expect((await mia.get<CommentList>(path)).body.comments).toHaveLength(1)
  })
})

describe('after a change of their record', () => {
  test('comments are deleted, restored and permanently deleted with it', async () => {
    const { org, mia, deal } = team
    const { body } = await write(mia, 'Stay')
    await org.delete(`${DEALS}/${deal}`)
    expectError(await org.get(`/comments/${body.id}`), 'not_found')
    expectError(await mia.patch(`/comments/${body.id}`, { text: 'x' }), 'not_found')
    await org.post(`/objects/deals/trash/${deal}/restore`, {})
    expect((await list()).comments).toEqual([body])
    await org.delete(`${DEALS}/${deal}`)
    await org.delete(`/objects/deals/trash/${deal}`)
    expect(await countRows()).toBe(0)
    const other = await makeDeal(org)
    await write(mia, 'Deleted', other)
    await org.delete(`${DEALS}/${other}?permanent=true`)
    expect(await countRows()).toBe(0)
  })

  test('comments move to the winner of a merge, and return when the merge is undone', async () => {
    const { org, mia, deal } = team
    const loser = await makeDeal(org, { name: 'Rocket 2' })
    const [kept, moved] = [await write(mia, 'Kept'), await write(mia, 'Moved', loser)]
    const merged = await org.post<{ mergeId: string }>('/objects/deals/records/merge', {
      winnerId: deal,
      loserIds: [loser],
    })
    const idsOf = async (of: string) => (await list(of)).comments.map(({ id }) => id)
    expect(await idsOf(deal)).toEqual([moved.body.id, kept.body.id])
    expect((await org.post(`/objects/deals/merges/${merged.body.mergeId}/undo`, {})).status).toBe(200)
    expect(await idsOf(deal)).toEqual([kept.body.id])
    expect(await idsOf(loser)).toEqual([moved.body.id])
  })
})

const countRows = () =>
  service.ctx.db.value<number>(sql`select count(*) from comments where org = ${team.org.org}`)
