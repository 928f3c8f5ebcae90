// The trash of activities, comments and files from a terminal. The trash of records is in record-changes.test.ts.
import sql from 'sql-template-tag'
import { beforeEach, expect, test } from 'vitest'
import type { TrashedActivity } from '../contract/activity-trash.ts'
import type { TrashedAttachment } from '../contract/attachment-trash.ts'
import type { TrashedComment } from '../contract/comment-trash.ts'
import { mentionOf } from '../contract/mentions.ts'
import { createActivity, deleteActivity } from '../server/activities/service.ts'
import { attachFile, detachFile } from '../server/attachments/service.ts'
import { newId } from '../server/base/id.ts'
import { makeToken } from '../server/base/token.ts'
import { createComment, removeComment } from '../server/comments/service.ts'
import { deleteRecord } from '../server/records/write/service.ts'
import { json } from './cli.fixture.ts'
import { openPeople } from './people.fixture.ts'

const { rapport, inService, pool, org, createAdas } = await openPeople()

let ada = ''
let king = ''
beforeEach(async () => {
  ;[ada, king] = await createAdas()
})

const makeActivity = (title: string): Promise<string> =>
  inService(async (ctx, caller) => {
    const { id: objectId } = await pool.one<{ id: string }>(
      sql`select id from objects where org = ${org} and slug = 'people'`,
    )
    const linkedRecords = [{ objectId, recordId: ada }]
    return (await createActivity(ctx, caller, { type: 'call', title, linkedRecords })).id
  })

test('lists, restores and permanently deletes deleted activities', async () => {
  const [call, other] = [await makeActivity('Call Ada'), await makeActivity('Other')]
  await inService(async (ctx, caller) => {
    for (const id of [call, other]) await deleteActivity(ctx, caller, { activityId: id, ifMatch: undefined })
  })
  const trash = (...args: string[]) => rapport(['trash', ...args, '--org', 'acme', '--kind', 'activities'])
  expect((await trash('list')).stdout).toMatch(
    new RegExp(
      `^ACTIVITY .*\n${other} +Other +20.*\n${call} +Call Ada +20\\S+ +ada@example\\.com +20\\S+\n$`,
    ),
  )
  const { activities } = await json<{ activities: TrashedActivity[] }>(
    trash('list', '--limit', '1', '--json'),
  )
  expect(activities.map(({ id }) => id)).toEqual([other])
  await inService((ctx, caller) =>
    deleteRecord(ctx, caller, 'people', { recordId: ada, isPermanent: true, ifMatch: undefined }),
  )
  const lost = `1 restored.\nNot restored of ${call}: activity: the record that it referred to was deleted.\n`
  expect((await trash('restore', call, '--dry-run')).stdout).toBe(
    `Nothing was changed. Without --dry-run this would happen:\n${lost}`,
  )
  expect(await trash('restore', call)).toEqual({ code: 0, stdout: lost, stderr: '' })
  expect(await trash('restore', call, other, '--json')).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('"restored":1'),
    stderr:
      'rapport: 1 of 2 ids are not in the trash of activities: see rapport trash list --org acme --kind activities\n',
  })
  await inService((ctx, caller) => deleteActivity(ctx, caller, { activityId: call, ifMatch: undefined }))
  expect((await trash('delete', call)).stderr).toBe(
    'rapport: This deletes the activities for good: confirm with --yes\n',
  )
  expect(await json(trash('delete', call, '--yes', '--json'))).toEqual({ deleted: 1 })
  expect(await trash('delete', call, '--yes')).toMatchObject({ code: 1, stdout: '0 deleted for good.\n' })
  expect((await trash('list')).stdout).toBe('The trash is empty.\n')
})

const makeComment = (recordId: string, text: string): Promise<string> =>
  inService(async (ctx, caller) => {
    const { id } = await createComment(ctx, caller, { objectId: 'people', recordId }, { text })
    return removeComment(ctx, caller, id)
  })

test('lists deleted comments, restores them to existing records, and permanently deletes them', async () => {
  const mention = await inService(async (_, { userId }) => mentionOf(userId))
  const long = await makeComment(ada, `Ask ${mention}\nabout ${'this '.repeat(20)}`)
  const ofDeleted = await makeComment(king, 'Old')
  await inService((ctx, caller) =>
    deleteRecord(ctx, caller, 'people', { recordId: king, ifMatch: undefined }),
  )
  const trash = (...args: string[]) => rapport(['trash', ...args, '--org', 'acme', '--kind', 'comments'])
  const listed = await trash('list')
  expect(listed.stdout).toMatch(/^COMMENT .*\n/)
  expect(listed.stdout).toMatch(new RegExp(`^${long} +Ask @Ada about (?:this )*t?h?i?s?… +20`, 'm'))
  const restore = ['restore', long.toUpperCase(), ofDeleted]
  const kept = `Not restored: ${ofDeleted}: No such record: check the id, it may have been deleted\n`
  expect(await trash(...restore, '--dry-run')).toEqual({
    code: 1,
    stdout: `Nothing was changed. Without --dry-run this would happen:\n1 restored.\n${kept}`,
    stderr: '',
  })
  expect(await trash(...restore)).toEqual({ code: 1, stdout: `1 restored.\n${kept}`, stderr: '' })
  expect(await json(trash('delete', ofDeleted, '--yes', '--json'))).toEqual({ deleted: 1 })
  expect(await json<{ comments: TrashedComment[] }>(trash('list', '--json'))).toMatchObject({
    comments: [],
  })
})

/** Creates a file that was removed from a record. */
const makeFile = (recordId: string, name: string): Promise<string> =>
  inService(async (ctx, caller) => {
    const [id, token] = [newId(), makeToken()]
    await pool.run(sql`
      insert into files (org, id, bucket, path, key, token, state, size, content_type, expires_at, stored_at)
      values (${org}, ${id}, 'texts', ${id}, ${id}, ${token}, 'stored', 1, 'text/plain', now(), now())`)
    const subject = { objectId: 'people', recordId }
    const attached = await attachFile(ctx, caller, subject, { url: `/files/${token}/${id}`, name })
    return detachFile(ctx, caller, { subject, attachmentId: attached.id })
  })

test('lists removed files, restores them to existing records, and permanently deletes them', async () => {
  const [offer, ofDeleted] = [await makeFile(ada, 'Offer.txt'), await makeFile(king, 'Old.txt')]
  await inService((ctx, caller) =>
    deleteRecord(ctx, caller, 'people', { recordId: king, ifMatch: undefined }),
  )
  const trash = (...args: string[]) => rapport(['trash', ...args, '--org', 'acme', '--kind', 'files'])
  expect((await trash('list')).stdout).toMatch(
    new RegExp(
      `^FILE .*\n${ofDeleted} +Old.txt +20.*\n${offer} +Offer.txt +20\\S+ +ada@example\\.com +20\\S+\n$`,
    ),
  )
  const refused =
    'The record or activity of this file, or the record into which it was merged, is deleted: restore that first'
  const restored = `1 restored.\nNot restored: ${ofDeleted}: ${refused}\n`
  expect(await trash('restore', offer, ofDeleted, '--dry-run')).toEqual({
    code: 1,
    stdout: `Nothing was changed. Without --dry-run this would happen:\n${restored}`,
    stderr: '',
  })
  expect(await trash('restore', offer, ofDeleted)).toEqual({ code: 1, stdout: restored, stderr: '' })
  expect(await json(trash('delete', ofDeleted, '--yes', '--json'))).toEqual({ deleted: 1 })
  expect(await trash('delete', ofDeleted, '--yes')).toMatchObject({
    code: 1,
    stdout: '0 deleted for good.\n',
  })
  expect(await json<{ attachments: TrashedAttachment[] }>(trash('list', '--json'))).toMatchObject({
    attachments: [],
  })
})

test('list requires an object, or a kind without an object', async () => {
  const list = (...args: string[]) => rapport(['trash', 'list', '--org', 'acme', ...args])
  expect((await list()).stderr).toBe(
    'rapport: Name the object of the records with --object, or --kind activities, comments or files\n',
  )
  expect((await list('--kind', 'comments', '--object', 'people')).stderr).toBe(
    'rapport: --object is for records: leave it out with --kind comments\n',
  )
  expect((await list('--kind', 'views')).stderr).toContain(
    'Allowed choices are records, activities, comments, files',
  )
})
