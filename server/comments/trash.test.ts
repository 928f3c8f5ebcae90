// Deleted comments: permissions to list, restore and purge them, and changes of their records.
import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import type { TrashedComment } from '../../contract/comment-trash.ts'
import type { Comment, CommentList } from '../../contract/comments.ts'
import { mentionOf } from '../../contract/mentions.ts'
import type { Notification } from '../../contract/notifications.ts'
import { buildTestService } from '../test/build-app.ts'
import { expectError, type Org } from '../test/factories.ts'
import { purgeOldComments } from './trash.ts'

const service = await buildTestService()
const { db } = service.ctx
const DEALS = '/objects/deals/records'
const NO_SUCH = '0198c0de-0000-7000-8000-000000000001'

const makeDeal = async (org: Org) =>
  (await org.post<{ id: string }>(DEALS, { data: { name: 'Rocket' } })).body.id

async function buildTeam() {
  const org = await service.org()
  const [admin, mia, max] = await org.members('admin', 'member', 'member')
  return { org, admin, mia, max, deal: await makeDeal(org) }
}

type Sender = Pick<Org, 'get' | 'post' | 'delete'>
const write = async (by: Pick<Sender, 'post'>, deal: string, text = 'Hello') =>
  (await by.post<Comment>(`${DEALS}/${deal}/comments`, { text })).body
const restore = (by: Pick<Sender, 'post'>, id: string) => by.post<Comment>(`/trashed-comments/${id}/restore`)
const trashOf = async (of: Pick<Sender, 'get'>) =>
  (await of.get<{ comments: TrashedComment[] }>('/trashed-comments')).body.comments
const commentsOf = async (org: Org, deal: string) =>
  (await org.get<CommentList>(`${DEALS}/${deal}/comments`)).body.comments
const remove = async (by: Pick<Sender, 'delete'>, { id }: Comment) =>
  expect((await by.delete(`/comments/${id}`)).status).toBe(200)

describe('a deleted comment', () => {
  test('is in no response, and is restored unchanged without new notifications', async () => {
    const { org, mia, max, deal } = await buildTeam()
    const comment = await write(mia, deal, `Ask ${mentionOf(max.userId)}`)
    const inbox = async () => (await max.get<{ notifications: Notification[] }>('/inbox')).body.notifications
    const before = await inbox()
    expect(before).toHaveLength(1)
    await remove(mia, comment)
    expect(await commentsOf(org, deal)).toEqual([])
    expectError(await org.get(`/comments/${comment.id}`), 'not_found')
    expectError(await mia.delete(`/comments/${comment.id}`), 'not_found')
    expect(await inbox()).toEqual([])
    expect(await trashOf(mia)).toEqual([
      {
        ...comment,
        deletedAt: expect.any(String),
        deletedBy: comment.createdBy,
        purgeAt: expect.any(String),
      },
    ])
    const count = (await org.events()).length
    expect(await restore(mia, comment.id)).toMatchObject({ status: 200, body: comment })
    expect(await commentsOf(org, deal)).toEqual([comment])
    expect(await inbox()).toEqual(before)
    expect((await org.events()).slice(count).map(({ type }) => type)).toEqual(['comment.created'])
    expect(await trashOf(mia)).toEqual([])
    expectError(await restore(mia, comment.id), 'not_found')
  })

  test('is accessible only to its author, owners and admins', async () => {
    const { admin, mia, max, deal } = await buildTeam()
    const comment = await write(mia, deal)
    await remove(mia, comment)
    expect(await trashOf(max)).toEqual([])
    expectError(await restore(max, comment.id), 'not_author')
    expectError(await max.delete(`/trashed-comments/${comment.id}`), 'not_author')
    expect((await trashOf(admin)).map(({ id }) => id)).toEqual([comment.id])
    expect((await restore(admin, comment.id)).status).toBe(200)
  })

  test('is not found in other organizations, and requires the scope', async () => {
    const { org, mia, deal } = await buildTeam()
    const other = await service.org()
    const comment = await write(mia, deal)
    const live = await write(mia, deal)
    await remove(mia, comment)
    for (const id of [NO_SUCH, 'hello', live.id]) expectError(await restore(org, id), 'not_found')
    expectError(await restore(other, comment.id), 'not_found')
    expectError(await other.delete(`/trashed-comments/${comment.id}`), 'not_found')
    expect(await trashOf(other)).toEqual([])
    const reading = { authorization: `Bearer ${await org.keyWith(['comments:read'])}` }
    expectError(
      await org.post(`/trashed-comments/${comment.id}/restore`, undefined, reading),
      'insufficient_scope',
    )
  })
})

describe('the record of a deleted comment', () => {
  async function merge(org: Org, winnerId: string, loser: string): Promise<string> {
    const reply = await org.post<{ mergeId: string }>(`${DEALS}/merge`, { winnerId, loserIds: [loser] })
    expect(reply.status).toBe(200)
    return reply.body.mergeId
  }
  const unmerge = async (org: Org, id: string) =>
    expect((await org.post(`/objects/deals/merges/${id}/undo`)).status).toBe(200)

  test('gets the comment back after both are restored', async () => {
    const { org, mia, deal } = await buildTeam()
    const comment = await write(mia, deal)
    await remove(mia, comment)
    await org.delete(`${DEALS}/${deal}`)
    expectError(await restore(mia, comment.id), 'not_found')
    await org.post(`/objects/deals/trashed-records/${deal}/restore`)
    expect((await restore(mia, comment.id)).status).toBe(200)
  })

  test('is the winner of a merge, and the merged record again after the undo', async () => {
    const { org, mia, deal } = await buildTeam()
    const winner = await makeDeal(org)
    const comment = await write(mia, deal)
    await remove(mia, comment)
    const merged = await merge(org, winner, deal)
    expect(await restore(mia, comment.id)).toMatchObject({ status: 200, body: { recordId: winner } })
    await unmerge(org, merged)
    expect(await commentsOf(org, deal)).toEqual([comment])
  })

  test('is the last winner of several merges, and each earlier record as they are undone', async () => {
    const { org, mia, deal } = await buildTeam()
    const [second, third] = [await makeDeal(org), await makeDeal(org)]
    const comment = await write(mia, deal)
    await remove(mia, comment)
    const merges = [await merge(org, second, deal), await merge(org, third, second)]
    expect(await restore(mia, comment.id)).toMatchObject({ status: 200, body: { recordId: third } })
    await unmerge(org, merges[1] ?? '')
    expect(await commentsOf(org, second)).toEqual([{ ...comment, recordId: second }])
    await unmerge(org, merges[0] ?? '')
    expect(await commentsOf(org, deal)).toEqual([comment])
  })

  test('is the merged record if the merge is undone after the deletion of the comment', async () => {
    const { org, mia, deal } = await buildTeam()
    const winner = await makeDeal(org)
    const comment = await write(mia, deal)
    const merged = await merge(org, winner, deal)
    await remove(mia, comment)
    await unmerge(org, merged)
    expect(await restore(mia, comment.id)).toMatchObject({ status: 200, body: comment })
    expect(await commentsOf(org, winner)).toEqual([])
  })

  test('deletes the comment when it is deleted permanently', async () => {
    const { org, mia, deal } = await buildTeam()
    const second = await makeDeal(org)
    for (const id of [deal, second]) await remove(mia, await write(mia, id))
    await org.delete(`${DEALS}/${deal}?permanent=true`)
    await org.delete(`${DEALS}/${second}`)
    await org.delete(`/objects/deals/trashed-records/${second}`)
    expect(await trashOf(mia)).toEqual([])
    expect(await db.many(sql`select from trash_comments where org = ${org.org}`)).toEqual([])
  })
})

test('a permanently deleted comment cannot be restored; the job deletes old comments', async () => {
  const { org, mia, deal } = await buildTeam()
  const [purged, old, fresh] = [await write(mia, deal), await write(mia, deal), await write(mia, deal)]
  for (const one of [purged, old, fresh]) await remove(mia, one)
  expect(await mia.delete(`/trashed-comments/${purged.id}`)).toMatchObject({ body: { id: purged.id } })
  expectError(await restore(mia, purged.id), 'not_found')
  await db.run(sql`
    update trash_comments set deleted_at = now() - interval '31 days' where org = ${org.org} and id = ${old.id}`)
  await purgeOldComments(service.ctx, new AbortController().signal, new Date())
  expect((await trashOf(mia)).map(({ id }) => id)).toEqual([fresh.id])
})

test('the job deletes old comments after the trash days of their organization', async () => {
  const [short, long] = [await buildTeam(), await buildTeam()]
  await db.run(sql`update organizations set trash_days = 60 where org = ${long.org.org}`)
  for (const { org, mia, deal } of [short, long]) {
    const comment = await write(mia, deal)
    await remove(mia, comment)
    await db.run(sql`
      insert into trash_comments (org, id, obj, record_id, text, mentions, author, deleted_at)
      select org, uuidv7(), obj, record_id, text, mentions, author, now() - interval '45 days'
      from trash_comments, generate_series(1, 1500) where org = ${org.org} and id = ${comment.id}`)
  }
  await purgeOldComments(service.ctx, new AbortController().signal, new Date())
  const countOf = ({ org }: Org) =>
    db.value<number>(sql`select count(*)::int from trash_comments where org = ${org}`)
  expect([await countOf(short.org), await countOf(long.org)]).toEqual([1, 1501])
})
