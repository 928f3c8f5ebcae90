// Removed files of merged records: restored while the merge is undone, and restored if the winner cannot get them.
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import type { RestoredAttachment, TrashedAttachment } from '../../contract/attachment-trash.ts'
import type { Attachment } from '../../contract/attachments.ts'
import type { Comment } from '../../contract/comments.ts'
import type { MergedRecord } from '../../contract/merge.ts'
import { buildFileService } from '../files/files.fixture.ts'
import { createRecord, expectError } from '../test/factories.ts'
import { buildOffice } from './attachments.fixture.ts'

const service = await buildFileService()
const { db } = service.ctx
const PEOPLE = '/objects/people/records'

/** A record with a removed file, and a record into which `merge` merges it. */
async function office() {
  const built = await buildOffice(service)
  const { org, mia, personId, places, upload } = built
  const winner = (await createRecord(mia, 'people', { name: 'Bo' })).id
  const url = await upload()
  const { body: file } = await mia.post<Attachment>(places.record, { url, name: 'Mine.png' })
  await mia.delete(`${places.record}/${file.id}`)
  const merge = async () =>
    (await org.post<MergedRecord>(`${PEOPLE}/merge`, { winnerId: winner, loserIds: [personId] })).body.mergeId
  const unmerge = (id: string) => org.post(`/objects/people/merges/${id}/undo`)
  const restore = () => mia.post<RestoredAttachment>(`/trashed-attachments/${file.id}/restore`)
  const trash = async () =>
    (await mia.get<{ attachments: TrashedAttachment[] }>('/trashed-attachments')).body.attachments
  return { ...built, winner, url, file, merge, unmerge, restore, trash }
}

const waitForLocks = (count: number) =>
  expect
    .poll(() =>
      db.value<number>(sql`
        select count(*)::int as count from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`),
    )
    .toBe(count)

const notesOf = ({ org }: { org: number }) =>
  db.many(sql`select kind from merge_changes where org = ${org} and kind in ('file', 'comment')`)

test('a file that is restored while the merge is undone returns to its record', async () => {
  const { org, merge, unmerge, restore, list, places } = await office()
  const id = await merge()
  const requests = await db.transaction(async (tx) => {
    await tx.run(sql`select from merge_changes where org = ${org.org} for update`)
    const unmerging = unmerge(id)
    await waitForLocks(1)
    const restoring = restore()
    await waitForLocks(2)
    return [unmerging, restoring] as const
  })
  for (const request of requests) expect(await request).toMatchObject({ status: 200 })
  expect(await notesOf(org)).toEqual([])
  expect(await list(places.record)).toHaveLength(1)
})

test('a comment that is restored while the merge is undone returns to its record', async () => {
  const { org, mia, personId, merge, unmerge } = await office()
  const place = `${PEOPLE}/${personId}/comments`
  const { body: comment } = await mia.post<Comment>(place, { text: 'Remember' })
  await mia.delete(`/comments/${comment.id}`)
  const id = await merge()
  const requests = await db.transaction(async (tx) => {
    await tx.run(sql`select from merge_changes where org = ${org.org} for update`)
    const unmerging = unmerge(id)
    await waitForLocks(1)
    const restoring = mia.post(`/trashed-comments/${comment.id}/restore`)
    await waitForLocks(2)
    return [unmerging, restoring] as const
  })
  for (const request of requests) expect(await request).toMatchObject({ status: 200 })
  expect(await notesOf(org)).toEqual([])
  expect((await mia.get<{ comments: Comment[] }>(place)).body.comments).toMatchObject([{ id: comment.id }])
})

test('a file that the winner also has stays in the trash until the merge is undone', async () => {
  const { mia, winner, url, file, merge, unmerge, restore, trash, list, places } = await office()
  const theirs = await mia.post<Attachment>(`${PEOPLE}/${winner}/attachments`, { url, name: 'Theirs.png' })
  const id = await merge()
  expect(await restore()).toMatchObject({ status: 200, body: { id: theirs.body.id, recordId: winner } })
  expect(await trash()).toMatchObject([{ id: file.id }])
  await unmerge(id)
  expect(await restore()).toMatchObject({ status: 200, body: { id: file.id } })
  expect(await list(places.record)).toEqual([file])
  expect(await trash()).toEqual([])
})

test.each(['', '?permanent=true'])(
  'refuses to restore a file whose winner is deleted%s, with advice',
  async (query) => {
    const { org, winner, merge, restore } = await office()
    await merge()
    expect((await org.delete(`${PEOPLE}/${winner}${query}`)).status).toBe(200)
    const reply = await restore()
    expectError(reply, 'not_found')
    expect(reply.body).toMatchObject({ message: expect.stringMatching(/is deleted: restore that first$/) })
  },
)
