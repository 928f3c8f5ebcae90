// Undoes changes of attachments together with other changes: of a change set or an API key.
import fc from 'fast-check'
import sql from 'sql-template-tag'
import { beforeEach, describe, expect, test } from 'vitest'
import type { TrashedAttachment } from '../../contract/attachment-trash.ts'
import type { Attachment } from '../../contract/attachments.ts'
import type { ChangeSet } from '../../contract/change-sets.ts'
import { ATTACHMENTS_MAX } from '../../contract/limits.ts'
import type { StartedUndoJob } from '../../contract/undo-jobs.ts'
import { forgetAttachmentChanges } from '../attachments/changes-store.ts'
import { newId } from '../base/id.ts'
import { buildFileService } from '../files/files.fixture.ts'
import { bodyOf, expectError, type Org } from '../test/factories.ts'
import { conflictsOf, expectIdentity, inSet, setOf, undoWith } from './undo.fixture.ts'

const service = await buildFileService()
const { ctx } = service
const { finish, undo } = undoWith(ctx)
const PEOPLE = '/objects/people/records'
const never = new AbortController().signal

type Headers = Record<string, string>
type Writer = Pick<Org, 'post'>

const addPerson = async (name = 'Ada', headers?: Headers) =>
  (await org.post<{ id: string }>(PEOPLE, { data: { name } }, headers)).body.id
const filesOf = (id: string) => `${PEOPLE}/${id}/attachments`

const attach = async (
  place: string,
  name: string,
  headers?: Headers,
  by: Writer = org,
): Promise<Attachment> =>
  bodyOf(await by.post<Attachment>(place, { url: await service.stored(org), name }, headers), 201)
const rename = async (place: string, { id }: Attachment, name: string, headers?: Headers) =>
  expect((await org.patch(`${place}/${id}`, { name }, headers)).status).toBe(200)
const remove = async (place: string, { id }: Attachment, headers?: Headers) =>
  expect((await org.delete(`${place}/${id}`, undefined, headers)).status).toBe(200)

const list = async (place: string) => (await org.get<{ attachments: Attachment[] }>(place)).body.attachments
const trashOf = async () =>
  (await org.get<{ attachments: TrashedAttachment[] }>('/trashed-attachments')).body.attachments
const listedSets = async () => (await org.get<{ changeSets: ChangeSet[] }>('/change-sets')).body.changeSets
const changesOf = ({ org: nr }: Org) =>
  ctx.db.value<number>(sql`select count(*)::int from attachment_changes where org = ${nr}`)

let org: Org
let person = ''
let call = ''
let places: { record: string; activity: string }
let set = ''
beforeEach(async () => {
  org = await service.org()
  person = await addPerson()
  call = (await org.post<{ id: string }>('/activities', { title: 'Call' })).body.id
  places = { record: filesOf(person), activity: `/activities/${call}/attachments` }
  set = newId()
})

describe.each(['record', 'activity'] as const)('a change set with files (%s)', (kind) => {
  test('is listed and undone: attached files are removed, renamed ones restored, removed ones return', async () => {
    const place = places[kind]
    const [renamed, removed] = [await attach(place, 'old.png'), await attach(place, 'removed.png')]
    const made = await attach(place, 'new.png', inSet(set))
    await rename(place, renamed, 'newer.png', inSet(set))
    await remove(place, removed, inSet(set))
    const after = await list(place)
    expect((await listedSets()).find(({ id }) => id === set)).toMatchObject({
      ...{ kind: 'changeSet', changes: 3, origin: 'apiKey', apiKey: { id: org.keyId }, objectIds: [] },
      ...{ actor: { id: org.userId }, changed: null },
    })

    const job = await undo(org, setOf(set), 2)
    expect(job).toMatchObject({
      ...{ status: 'completed', created: 1, updated: 1, deleted: 1, otherChanges: 0, total: 3, done: 3 },
      ...{ restored: 1, trashed: 1, returned: 1, conflictCount: 0 },
    })
    expect((await trashOf()).map(({ id }) => id)).toEqual([made.id])
    expect(await list(place)).toEqual([renamed, removed])
    expect((await listedSets()).map(({ id }) => id)).not.toContain(set)
    expectError(await org.post('/undo-jobs', setOf(set)), 'validation_error')

    // The undo job is itself a change set.
    expect((await listedSets()).find(({ id }) => id === job.id)).toMatchObject({ origin: 'undoJob' })
    expect(await undo(org, setOf(job.id))).toMatchObject({ restored: 1, trashed: 1, returned: 1 })
    expect(await list(place)).toEqual(after)
  })

  test('is undone in the order of its changes, in which a name may change several times', async () => {
    const place = places[kind]
    const file = await attach(place, 'first.png')
    for (const name of ['second.png', 'third.png', 'first.png', 'fourth.png'])
      await rename(place, file, name, inSet(set))
    await remove(place, file, inSet(set))
    await org.post(`/trashed-attachments/${file.id}/restore`, undefined, inSet(set))
    const url = await service.stored(org)
    for (const name of ['a.png', 'b.png'])
      expect((await org.post(place, { url, name }, inSet(set))).status).toBe(201)
    const job = await undo(org, setOf(set), 1)
    expect(job).toMatchObject({ created: 2, updated: 5, deleted: 1, total: 8, done: 8, conflictCount: 0 })
    expect(await list(place)).toEqual([file])
  })

  test('keeps later changes, and lists them as conflicts', async () => {
    const place = places[kind]
    const [renamed, removed] = [await attach(place, 'old.png'), await attach(place, 'removed.png')]
    const [purged, made] = [await attach(place, 'purged.png'), await attach(place, 'new.png', inSet(set))]
    const skipped = await attach(place, 'skipped.png', inSet(set))
    await rename(place, renamed, 'newer.png', inSet(set))
    await rename(place, removed, 'other.png', inSet(set))
    await remove(place, purged, inSet(set))
    await rename(place, renamed, 'newest.png')
    await rename(place, made, 'by hand.png')
    for (const file of [removed, skipped]) await remove(place, file)
    await org.delete(`/trashed-attachments/${purged.id}`)

    const preview = (await org.post<StartedUndoJob>('/undo-jobs?dryRun=true', setOf(set))).body
    expect(preview).toMatchObject({ id: null, total: 4, done: 4, conflictCount: 3 })
    const job = await undo(org, setOf(set))
    expect(job).toMatchObject({ total: 4, done: 4, restored: 0, trashed: 0, returned: 0, conflictCount: 3 })
    const of = { objectId: null, activityId: null, commentId: null, version: 0, otherRecordId: null }
    const names = { from: 'old.png', to: 'newer.png', current: 'newest.png' }
    const whole = { ...of, attributeSlug: null, from: null, to: null, current: null }
    const conflicts = await conflictsOf(org, job)
    expect(conflicts).toHaveLength(3)
    expect(conflicts).toEqual(
      expect.arrayContaining([
        {
          ...{ ...of, attachmentId: renamed.id, recordId: renamed.id, attributeSlug: 'name' },
          ...{ code: 'value_changed', ...names, message: 'name: the value was changed since.' },
        },
        {
          ...{ ...whole, attachmentId: made.id, recordId: made.id, code: 'attachment_renamed' },
          current: 'by hand.png',
          message: 'file: the file was renamed since it was attached, and stays.',
        },
        expect.objectContaining({ ...whole, attachmentId: removed.id, code: 'attachment_gone' }),
      ]),
    )
    const key = { authorization: `Bearer ${await org.keyWith(['records:read'])}` }
    const seen = await conflictsOf(org, job, key)
    const shown = seen.find(({ attachmentId }) => attachmentId === renamed.id)
    if (kind === 'record') expect(shown).toMatchObject(names)
    else expect(shown).not.toHaveProperty('current')
  })
})

describe('files of a deleted record or activity', () => {
  test('return with their record; a record deleted outside of the set causes a conflict', async () => {
    const other = await addPerson('Grace')
    const [first, second] = [await attach(places.record, 'a.png'), await attach(filesOf(other), 'b.png')]
    const third = await attach(places.activity, 'c.png', inSet(set))
    await remove(places.record, first, inSet(set))
    await remove(filesOf(other), second, inSet(set))
    await org.delete(`${PEOPLE}/${person}`, undefined, inSet(set))
    await org.delete(`${PEOPLE}/${other}`)
    await org.delete(`/activities/${call}`)
    const job = await undo(org, setOf(set))
    expect(job).toMatchObject({ total: 4, done: 4, returned: 2, trashed: 0, conflictCount: 2 })
    expect(await list(places.record)).toEqual([first])
    const conflicts = await conflictsOf(org, job)
    expect(conflicts.map(({ attachmentId, code }) => [attachmentId, code])).toEqual(
      expect.arrayContaining([
        [second.id, 'attachment_owner_gone'],
        [third.id, 'attachment_owner_gone'],
      ]),
    )
  })

  test('are removed before their new record, and return with it', async () => {
    const made = await addPerson('Grace', inSet(set))
    const file = await attach(filesOf(made), 'a.png', inSet(set))
    const job = await undo(org, setOf(set))
    expect(job).toMatchObject({ total: 2, trashed: 2, conflictCount: 0 })
    expectError(await org.get(`${PEOPLE}/${made}`), 'not_found')
    expect(await undo(org, setOf(job.id))).toMatchObject({ returned: 2, conflictCount: 0 })
    expect(await list(filesOf(made))).toEqual([file])
  })

  test('stay if the object is inactive', async () => {
    await org.post('/objects', { pluralName: 'Things', singularName: 'Thing' })
    const { id } = (await org.post<{ id: string }>('/objects/things/records', { data: {} })).body
    const place = `/objects/things/records/${id}/attachments`
    const removed = await attach(place, 'old.png')
    const made = await attach(place, 'new.png', inSet(set))
    await remove(place, removed, inSet(set))
    await org.patch('/objects/things', { isActive: false })
    const conflicts = await conflictsOf(org, await undo(org, setOf(set)))
    expect(conflicts.map(({ attachmentId, code }) => `${attachmentId} ${code}`).sort()).toEqual(
      [made, removed].map((one) => `${one.id} object_unavailable`).sort(),
    )
  })

  test('of a full list stay in the trash; the same file that is attached again stays', async () => {
    const [full, again] = [
      await attach(places.record, 'full.png'),
      await attach(places.activity, 'again.png'),
    ]
    await remove(places.record, full, inSet(set))
    await remove(places.activity, again, inSet(set))
    const kept = (await org.post<Attachment>(places.activity, { url: again.url, name: 'kept.png' })).body
    const other = await attach(places.record, 'other.png')
    await ctx.db.run(sql`
      with f as (
        insert into files (org, id, token, bucket, path, key, state, size, content_type, expires_at, stored_at)
        select org, uuidv7(), token || nr, bucket, path || nr, key || nr, state, size, content_type, now(), now()
        from files, generate_series(2, ${ATTACHMENTS_MAX}) as nr
        where org = ${org.org} and id = (select file_id from attachments where org = ${org.org} and id = ${other.id})
        returning id)
      insert into attachments (org, id, obj, record_id, file_id, name)
      select a.org, uuidv7(), a.obj, a.record_id, f.id, 'one.png' from attachments a, f
      where a.org = ${org.org} and a.id = ${other.id}`)
    const job = await undo(org, setOf(set))
    expect(job).toMatchObject({ total: 2, done: 2, returned: 0, conflictCount: 1 })
    expect(await conflictsOf(org, job)).toMatchObject([{ attachmentId: full.id, code: 'list_full' }])
    expect(await list(places.activity)).toEqual([kept])
  })
})

describe('any set of changes of files', async () => {
  const org = await service.org()
  const ids = await Promise.all(
    ['Ada', 'Grace'].map(
      async (name) => (await org.post<{ id: string }>(PEOPLE, { data: { name } })).body.id,
    ),
  )
  const call = (await org.post<{ id: string }>('/activities', { title: 'Call' })).body.id
  const all = [...ids.map(filesOf), `/activities/${call}/attachments`]
  const urls = [await service.stored(org), await service.stored(org), await service.stored(org)]

  const url = fc.constantFrom(...urls)
  const place = fc.constantFrom(...all)
  const name = fc.constantFrom('a.png', 'b.png', 'c.png')
  const nr = fc.nat(2)
  const step = fc.oneof(
    fc.record({ kind: fc.constant('attach' as const), place, url, name }),
    fc.record({ kind: fc.constant('rename' as const), place, nr, name }),
    fc.record({ kind: fc.constant('remove' as const), place, nr }),
    fc.record({ kind: fc.constant('restore' as const), nr }),
    fc.record({ kind: fc.constant('deletePerson' as const), id: fc.constantFrom(...ids) }),
    fc.record({ kind: fc.constant('deleteCall' as const) }),
  )
  type Step = typeof step extends fc.Arbitrary<infer One> ? One : never

  /** Some steps are refused: for a deleted record or activity, or if there is no such file. */
  const take = async (one: Step, set: string): Promise<unknown> => {
    const idAt = async (listed: string, at: number) =>
      ((await org.get<{ attachments?: Attachment[] }>(listed)).body.attachments ?? [])[at]?.id ?? newId()
    switch (one.kind) {
      case 'attach':
        return org.post(one.place, { url: one.url, name: one.name }, inSet(set))
      case 'rename':
        return org.patch(`${one.place}/${await idAt(one.place, one.nr)}`, { name: one.name }, inSet(set))
      case 'remove':
        return org.delete(`${one.place}/${await idAt(one.place, one.nr)}`, undefined, inSet(set))
      case 'restore': {
        const id = await idAt('/trashed-attachments', one.nr)
        return org.post(`/trashed-attachments/${id}/restore`, undefined, inSet(set))
      }
      case 'deletePerson':
        return org.delete(`${PEOPLE}/${one.id}`, undefined, inSet(set))
      case 'deleteCall':
        return org.delete(`/activities/${call}`, undefined, inSet(set))
    }
  }

  const state = async () => ({
    people: await ctx.db.many(sql`select id, data from records where org = ${org.org} order by id`),
    calls: await ctx.db.many(sql`select id, title from activities where org = ${org.org} order by id`),
    files: await ctx.db.many(sql`
      select id, record_id, activity_id, file_id, name, created_by, created_at from attachments
      where org = ${org.org} order by id`),
  })

  test('undoing the set restores the state before it, and undoing the undo restores the state after it', () =>
    expectIdentity({ ctx, org, step, take, state }))
})

describe('undoing an API key', () => {
  const undoKey = (by: Writer = org, query = '', headers?: Headers) =>
    by.post<StartedUndoJob>(
      `/undo-jobs${query}`,
      { kind: 'apiKey', id: org.keyId, from: '2020-01-01T00:00:00Z' },
      headers,
    )

  test('includes its files, also if they are its last changes', async () => {
    const file = await attach(places.record, 'a.png')
    await rename(places.record, file, 'b.png')
    expect(await listedSets()).toMatchObject([{ kind: 'apiKey', id: org.keyId, changes: 4 }])
    const { body } = await undoKey()
    const job = await finish(org, body.id ?? '', 1)
    expect(job).toMatchObject({ total: 4, done: 4, restored: 1, trashed: 3, conflictCount: 0 })
    expectError(await org.get(`${PEOPLE}/${person}`), 'not_found')
    expect(await undo(org, setOf(job.id))).toMatchObject({ restored: 1, returned: 3, conflictCount: 0 })
    expect((await list(places.record)).map(({ name }) => name)).toEqual(['b.png'])
  })

  test('excludes files of members', async () => {
    const mia = await org.member('member')
    await attach(places.record, 'a.png', undefined, mia)
    expect(await changesOf(org)).toBe(0)
    expect((await undoKey(org, '?dryRun=true')).body).toMatchObject({ total: 2 })
  })

  test('requires attachments:write for files of activities, and only records:write for those of records', async () => {
    const [, kept] = [await attach(places.record, 'a.png'), await attach(places.activity, 'b.png')]
    const scopes = ['records:read', 'records:write', 'activities:read', 'attachments:read'] as const
    const key = { authorization: `Bearer ${await org.keyWith(scopes)}` }
    const { body } = await undoKey(org, '', key)
    expect(await finish(org, body.id ?? '')).toMatchObject({ total: 2, done: 2, otherChanges: 2, trashed: 2 })
    expect(await list(places.activity)).toEqual([kept])
  })
})

describe('the right to undo files', () => {
  test('is refused without attachments:write if the set has files of activities only', async () => {
    const file = await attach(places.activity, 'a.png', inSet(set))
    const scopes = ['records:read', 'records:write', 'activities:write', 'comments:write'] as const
    const key = { authorization: `Bearer ${await org.keyWith(scopes)}` }
    const refused = await org.post('/undo-jobs', setOf(set), key)
    expectError(refused, 'validation_error')
    expect(JSON.stringify(refused.body)).toContain('a key that has the scope attachments:write"')
    expect(await list(places.activity)).toEqual([file])
    expect(await undo(org, setOf(set))).toMatchObject({ total: 1, trashed: 1 })
  })

  test('does not extend to other organizations', async () => {
    const file = await attach(places.record, 'a.png', inSet(set))
    expectError(await (await service.org()).post('/undo-jobs', setOf(set)), 'validation_error')
    expect(await list(places.record)).toEqual([file])
  })
})

describe('changes of files that are stored for an undo', () => {
  test('are deleted after a day, and with a file that was deleted permanently', async () => {
    const [old, purged] = [await attach(places.record, 'a.png'), await attach(places.record, 'b.png')]
    const [deleted, kept] = [await attach(places.record, 'c.png'), await attach(places.activity, 'd.png')]
    await remove(places.activity, kept)
    expect(await changesOf(org)).toBe(5)
    await remove(places.record, purged)
    await org.delete(`/trashed-attachments/${purged.id}`)
    expect(await changesOf(org)).toBe(4)
    await ctx.db.run(sql`
      update attachment_changes set id = '01980000-0000-7000-8000-000000000001'
      where org = ${org.org} and attachment = ${old.id}`)
    await ctx.db.run(sql`delete from attachments where org = ${org.org} and id = ${deleted.id}`)
    await forgetAttachmentChanges(ctx, never, new Date())
    expect(await changesOf(org)).toBe(2)
  })

  test('are deleted by an erasure of the record', async () => {
    const file = await attach(places.record, 'Ada Lovelace.png')
    await rename(places.record, file, 'Ada.png')
    const other = await attach(places.activity, 'other.png')
    expect((await org.post(`${PEOPLE}/${person}/erasure`, { confirm: person })).status).toBe(201)
    await service.drain()
    const left = await ctx.db.many<{ attachment: string }>(sql`
      select attachment from attachment_changes where org = ${org.org}`)
    expect(left).toEqual([{ attachment: other.id }])
  })
})
