// Undoes comments together with other changes: of a change set or an API key.
import fc from 'fast-check'
import sql from 'sql-template-tag'
import { beforeEach, describe, expect, test } from 'vitest'
import type { ChangeSet } from '../../contract/change-sets.ts'
import type { TrashedComment } from '../../contract/comment-trash.ts'
import type { Comment } from '../../contract/comments.ts'
import { mentionOf } from '../../contract/mentions.ts'
import type { Notification } from '../../contract/notifications.ts'
import type { StartedUndoJob } from '../../contract/undo-jobs.ts'
import { newId } from '../base/id.ts'
import { forgetTexts } from '../comments/texts-store.ts'
import { expectError, type Org } from '../test/factories.ts'
import { sharedTestService } from '../test/shared-service.ts'
import { conflictsOf, expectIdentity, inSet, setOf, undoWith } from './undo.fixture.ts'

const service = await sharedTestService()
const { ctx } = service
const { finish, undo } = undoWith(ctx)
const PEOPLE = '/objects/people/records'

type Headers = Record<string, string>
type Writer = Pick<Org, 'post'>

const addPerson = async (org: Org, name = 'Ada', headers?: Headers) =>
  (await org.post<{ id: string }>(PEOPLE, { data: { name } }, headers)).body.id
const write = async (by: Writer, person: string, text = 'Hello', headers?: Headers) =>
  (await by.post<Comment>(`${PEOPLE}/${person}/comments`, { text }, headers)).body
const read = async (org: Org, id: string) => (await org.get<Comment>(`/comments/${id}`)).body
const trashOf = async (org: Org) =>
  (await org.get<{ comments: TrashedComment[] }>('/trashed-comments')).body.comments
const textsOf = (org: Org) =>
  ctx.db.value<number>(sql`select count(*)::int from comment_texts where org = ${org.org}`)

let org: Org
let person = ''
let set = ''
beforeEach(async () => {
  org = await service.org()
  person = await addPerson(org)
  set = newId()
})

describe('a change set with comments', () => {
  test('is listed and undone: created comments are deleted, edited ones restored, deleted ones return', async () => {
    const [edited, deleted] = [await write(org, person, 'Old'), await write(org, person, 'Deleted')]
    const made = await write(org, person, 'New', inSet(set))
    await org.patch(`/comments/${edited.id}`, { text: 'Newer' }, inSet(set))
    await org.delete(`/comments/${deleted.id}`, undefined, inSet(set))
    const { changeSets } = (await org.get<{ changeSets: ChangeSet[] }>('/change-sets')).body
    expect(changeSets.find(({ id }) => id === set)).toMatchObject({ kind: 'changeSet', changes: 3 })

    const job = await undo(org, setOf(set))
    expect(job).toMatchObject({
      ...{ status: 'completed', created: 1, updated: 1, deleted: 1, otherChanges: 0, total: 3, done: 3 },
      ...{ restored: 1, trashed: 1, returned: 1, conflictCount: 0 },
    })
    expect((await trashOf(org)).map(({ id }) => id)).toEqual([made.id])
    expect(await read(org, edited.id)).toMatchObject({ text: 'Old' })
    expect(await read(org, deleted.id)).toEqual(deleted)

    // The undo job is itself a change set.
    expect(await undo(org, setOf(job.id))).toMatchObject({ restored: 1, trashed: 1, returned: 1 })
    expect(await read(org, edited.id)).toMatchObject({ text: 'Newer' })
    expect(await read(org, made.id)).toMatchObject({ text: 'New' })
  })

  test('keeps later changes, and lists them as conflicts', async () => {
    const [edited, trashed] = [await write(org, person, 'Old'), await write(org, person)]
    const [purged, made] = [await write(org, person), await write(org, person, 'New', inSet(set))]
    await org.patch(`/comments/${edited.id}`, { text: 'Newer' }, inSet(set))
    await org.patch(`/comments/${trashed.id}`, { text: 'Other' }, inSet(set))
    await org.delete(`/comments/${purged.id}`, undefined, inSet(set))
    await org.patch(`/comments/${edited.id}`, { text: 'Newest' })
    await org.patch(`/comments/${made.id}`, { text: 'By hand' })
    await org.delete(`/comments/${trashed.id}`)
    await org.delete(`/trashed-comments/${purged.id}`)

    const job = await undo(org, setOf(set))
    expect(job).toMatchObject({ total: 4, done: 4, restored: 0, trashed: 0, returned: 0, conflictCount: 4 })
    expect(await read(org, edited.id)).toMatchObject({ text: 'Newest' })
    const of = { objectId: null, activityId: null, version: 0, otherRecordId: null }
    const whole = { ...of, attributeSlug: null, from: null, to: null, current: null }
    const value = {
      attributeSlug: 'text',
      code: 'value_changed',
      from: 'Old',
      to: 'Newer',
      current: 'Newest',
    }
    const conflicts = await conflictsOf(org, job)
    expect(conflicts).toHaveLength(4)
    expect(conflicts).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ commentId: edited.id, recordId: edited.id, ...of, ...value }),
        expect.objectContaining({ commentId: made.id, code: 'comment_edited', ...whole, current: 'By hand' }),
        expect.objectContaining({ commentId: trashed.id, code: 'comment_gone', ...whole }),
        expect.objectContaining({ commentId: purged.id, code: 'comment_purged', ...whole }),
      ]),
    )
    expect(conflicts.map(({ message }) => message)).toContain(
      'comment: the comment was changed since it was created, and stays.',
    )
    const key = { authorization: `Bearer ${await org.keyWith(['records:read'])}` }
    for (const hidden of await conflictsOf(org, job, key)) expect(hidden).not.toHaveProperty('current')
  })

  test('returns comments with their record; a record deleted outside of the set causes a conflict', async () => {
    const other = await addPerson(org, 'Grace')
    const [first, second] = [await write(org, person), await write(org, other)]
    for (const { id } of [first, second]) await org.delete(`/comments/${id}`, undefined, inSet(set))
    await org.delete(`${PEOPLE}/${person}`, undefined, inSet(set))
    await org.delete(`${PEOPLE}/${other}`)
    const job = await undo(org, setOf(set))
    expect(job).toMatchObject({ total: 3, returned: 2, conflictCount: 1 })
    expect(await read(org, first.id)).toEqual(first)
    expect(await conflictsOf(org, job)).toMatchObject([
      { commentId: second.id, code: 'comment_record_gone', attributeSlug: null, current: null },
    ])
  })

  test('lists a conflict for a created comment whose record is in the trash', async () => {
    const comment = await write(org, person, 'New', inSet(set))
    await org.delete(`${PEOPLE}/${person}`)
    const job = await undo(org, setOf(set))
    expect(job).toMatchObject({ total: 1, trashed: 0, conflictCount: 1 })
    expect(await conflictsOf(org, job)).toMatchObject([
      { commentId: comment.id, code: 'comment_record_gone', attributeSlug: null, current: null },
    ])
  })

  test('lists object_unavailable for comments of a deleted object', async () => {
    await org.post('/objects', { pluralName: 'Things', singularName: 'Thing' })
    const { id } = (await org.post<{ id: string }>('/objects/things/records', { data: {} })).body
    const place = `/objects/things/records/${id}/comments`
    const writeThere = async (headers?: Headers) =>
      (await org.post<Comment>(place, { text: 'Hello' }, headers)).body.id
    const [made, edited, deleted] = [await writeThere(inSet(set)), await writeThere(), await writeThere()]
    await org.patch(`/comments/${edited}`, { text: 'Changed' }, inSet(set))
    await org.delete(`/comments/${deleted}`, undefined, inSet(set))
    await org.patch('/objects/things', { isActive: false })
    await org.delete('/objects/things')
    const conflicts = await conflictsOf(org, await undo(org, setOf(set)))
    expect(conflicts.map(({ commentId, code }) => `${commentId} ${code}`).sort()).toEqual(
      [made, edited, deleted].map((one) => `${one} object_unavailable`).sort(),
    )
    expect(conflicts.map(({ current }) => current)).toEqual([null, null, null])
  })

  test('keeps comments of inactive objects', async () => {
    await org.post('/objects', { pluralName: 'Things', singularName: 'Thing' })
    const { id } = (await org.post<{ id: string }>('/objects/things/records', { data: {} })).body
    const place = `/objects/things/records/${id}/comments`
    const comment = (await org.post<Comment>(place, { text: 'Hello' }, inSet(set))).body
    await org.patch('/objects/things', { isActive: false })
    const job = await undo(org, setOf(set))
    expect(await conflictsOf(org, job)).toMatchObject([{ commentId: comment.id, code: 'object_unavailable' }])
  })

  test('restores mentions without notifying the mentioned members', async () => {
    const max = await org.member('member')
    /** Without texts, because a notification shows the current text of its comment. */
    const inbox = async () =>
      (await max.get<{ notifications: Notification[] }>('/inbox')).body.notifications.map(
        ({ text: _, ...one }) => one,
      )
    const comment = await write(org, person, `Ask ${mentionOf(max.userId)}`)
    await org.patch(`/comments/${comment.id}`, { text: 'Ask no one' }, inSet(set))
    await max.post('/inbox/read')
    const before = await inbox()
    expect(before).toHaveLength(1)
    await undo(org, setOf(set))
    expect(await read(org, comment.id)).toMatchObject({ mentions: [{ id: max.userId }] })
    expect(await inbox()).toEqual(before)
  })

  test('reports a conflict if the earlier text of a comment is not stored any more', async () => {
    const comment = await write(org, person, 'Old')
    await org.patch(`/comments/${comment.id}`, { text: 'New' }, inSet(set))
    const never = new AbortController().signal
    await forgetTexts(ctx, never, new Date())
    expect(await textsOf(org)).toBe(2)
    await ctx.db.run(sql`delete from comment_texts where org = ${org.org}`)
    const job = await undo(org, setOf(set))
    expect(await conflictsOf(org, job)).toMatchObject([{ commentId: comment.id, code: 'comment_unknown' }])
  })
})

test('undoing an API key includes its comments', async () => {
  const made = await write(org, person, 'New')
  await org.patch(`/comments/${made.id}`, { text: 'Newer' })
  const { changeSets } = (await org.get<{ changeSets: ChangeSet[] }>('/change-sets')).body
  expect(changeSets).toMatchObject([{ kind: 'apiKey', id: org.keyId, changes: 3 }])
  const job = await undo(org, { kind: 'apiKey', id: org.keyId, from: '2020-01-01T00:00:00Z' })
  expect(job).toMatchObject({ total: 3, done: 3, restored: 1, trashed: 2, conflictCount: 0 })
})

describe('the right to undo comments', () => {
  test('belongs to admins, and to authors for their own comments; the others can be undone later', async () => {
    const [mia, max, admin] = await org.members('member', 'member', 'admin')
    const kept = await write(max, person, 'Of Max')
    await max.patch(`/comments/${kept.id}`, { text: 'Changed' }, inSet(set))
    const trashed = await write(max, person, 'Deleted', inSet(set))
    await max.delete(`/comments/${trashed.id}`, undefined, inSet(set))
    const mine = await write(mia, person, 'Of Mia', inSet(set))
    const startBy = (by: Writer) => by.post<StartedUndoJob>('/undo-jobs', setOf(set))
    const undoBy = async (by: Writer) => finish(org, (await startBy(by)).body.id ?? '')
    expect(await undoBy(mia)).toMatchObject({
      ...{ total: 1, done: 1, otherChanges: 3, trashed: 1, restored: 0, returned: 0, conflictCount: 0 },
    })
    expectError(await org.get(`/comments/${mine.id}`), 'not_found')
    expect(await read(org, kept.id)).toMatchObject({ text: 'Changed' })
    expect(JSON.stringify((await startBy(mia)).body)).toContain('of comments of others only')
    expect(await undoBy(admin)).toMatchObject({
      total: 3,
      restored: 1,
      returned: 1,
      trashed: 1,
      conflictCount: 0,
    })
    expect(await read(org, kept.id)).toMatchObject({ text: 'Of Max' })
  })

  test('belongs to admins and to the author, also for changes by an API key', async () => {
    await write(org, person, 'By the key')
    const span = { kind: 'apiKey', id: org.keyId, from: '2020-01-01T00:00:00Z' }
    const plan = async (by: Writer) => (await by.post<StartedUndoJob>('/undo-jobs?dryRun=true', span)).body
    expect(await plan(await org.member('member'))).toMatchObject({ total: 1, done: 1, otherChanges: 1 })
    expect(await plan(org)).toMatchObject({ total: 2, done: 2, otherChanges: 0 })
  })

  test('needs the scope comments:write: without it only the records are undone', async () => {
    const comment = await write(org, person, 'New', inSet(set))
    await addPerson(org, 'Grace', inSet(set))
    const scopes = ['records:read', 'records:write', 'comments:read'] as const
    const key = { authorization: `Bearer ${await org.keyWith(scopes)}` }
    const { body } = await org.post<StartedUndoJob>('/undo-jobs', setOf(set), key)
    expect(await finish(org, body.id ?? '')).toMatchObject({ total: 1, done: 1, otherChanges: 1, trashed: 1 })
    expect(await read(org, comment.id)).toEqual(comment)
    const refused = await org.post('/undo-jobs', setOf(set), key)
    expectError(refused, 'validation_error')
    expect(JSON.stringify(refused.body)).toContain('a key that has the scope comments:write"')
    expect(await undo(org, setOf(set))).toMatchObject({ total: 1, trashed: 1 })
  })

  test('is not listed after its only edit was taken back', async () => {
    const mia = await org.member('member')
    const comment = await write(mia, person, 'Old')
    const listed = async () =>
      (await org.get<{ changeSets: ChangeSet[] }>('/change-sets')).body.changeSets.some(
        ({ id }) => id === set,
      )
    const edit = (text: string, headers?: Headers) => mia.patch(`/comments/${comment.id}`, { text }, headers)
    await edit('New', inSet(set))
    await edit('Newer')
    await edit('New')
    expect(await listed()).toBe(true)
    await edit('Old')
    expect(await listed()).toBe(false)
  })

  test('does not extend to other organizations', async () => {
    const comment = await write(org, person, 'New', inSet(set))
    expectError(await (await service.org()).post('/undo-jobs', setOf(set)), 'validation_error')
    expect(await read(org, comment.id)).toEqual(comment)
  })
})

describe('texts that are stored for an undo', () => {
  test('are stored only for changes by programs', async () => {
    const mia = await org.member('member')
    await write(mia, person)
    expect(await textsOf(org)).toBe(0)
    await write(mia, person, 'In a set', inSet(set))
    expect(await textsOf(org)).toBe(1)
  })

  test('are deleted with the comment, and with its record', async () => {
    const [first] = [await write(org, person), await write(org, person)]
    await org.delete(`/comments/${first.id}`)
    expect(await textsOf(org)).toBe(2)
    await org.delete(`/trashed-comments/${first.id}`)
    expect(await textsOf(org)).toBe(1)
    await org.delete(`${PEOPLE}/${person}`)
    await org.delete(`${PEOPLE.replace('/records', '/trashed-records')}/${person}`)
    expect(await textsOf(org)).toBe(0)
    const other = await addPerson(org)
    await write(org, other)
    await org.delete(`${PEOPLE}/${other}?permanent=true`)
    expect(await textsOf(org)).toBe(0)
  })

  test('are deleted if an older version of the service deleted the comment', async () => {
    const [deleted, trashed] = [await write(org, person), await write(org, person), await write(org, person)]
    await org.delete(`/comments/${trashed.id}`)
    await ctx.db.run(sql`delete from comments where org = ${org.org} and id = ${deleted.id}`)
    await forgetTexts(ctx, new AbortController().signal, new Date())
    expect(await textsOf(org)).toBe(2)
  })

  test('are deleted after a day', async () => {
    const [old] = [await write(org, person), await write(org, person)]
    await ctx.db.run(sql`
      update comment_texts set event = '01980000-0000-7000-8000-000000000001'
      where org = ${org.org} and comment = ${old.id}`)
    await forgetTexts(ctx, new AbortController().signal, new Date())
    expect(await textsOf(org)).toBe(1)
  })
})

describe('any set of changes of comments', async () => {
  const org = await service.org()
  const people = await Promise.all(['Ada', 'Grace'].map((name) => addPerson(org, name)))
  const made = people.flatMap((one) => ['First', 'Second'].map((text) => write(org, one, text)))
  const ids = (await Promise.all(made)).map(({ id }) => id)

  const text = fc.constantFrom('First', 'Second', 'Third', `Ask ${mentionOf(newId())}`)
  const id = fc.constantFrom(...ids)
  const step = fc.oneof(
    fc.record({ kind: fc.constant('create' as const), person: fc.constantFrom(...people), text }),
    fc.record({ kind: fc.constant('patch' as const), id, text }),
    fc.record({ kind: fc.constant('delete' as const), id }),
    fc.record({ kind: fc.constant('restore' as const), id }),
    fc.record({ kind: fc.constant('deletePerson' as const), person: fc.constantFrom(...people) }),
  )
  type Step = typeof step extends fc.Arbitrary<infer One> ? One : never

  /** Some steps are refused: for a deleted comment, or with a mention of a user who is not a member. */
  const take = (one: Step, set: string): Promise<unknown> => {
    switch (one.kind) {
      case 'create':
        return write(org, one.person, one.text, inSet(set))
      case 'patch':
        return org.patch(`/comments/${one.id}`, { text: one.text }, inSet(set))
      case 'delete':
        return org.delete(`/comments/${one.id}`, undefined, inSet(set))
      case 'restore':
        return org.post(`/trashed-comments/${one.id}/restore`, undefined, inSet(set))
      case 'deletePerson':
        return org.delete(`${PEOPLE}/${one.person}`, undefined, inSet(set))
    }
  }

  const state = async () => ({
    people: await ctx.db.many(sql`select id, data from records where org = ${org.org} order by id`),
    comments: await ctx.db.many(sql`
      select id, record_id, text, mentions, author from comments where org = ${org.org} order by id`),
  })

  test('undoing the set restores the state before it, and undoing the undo restores the state after it', () =>
    expectIdentity({ ctx, org, step, take, state }))
})
