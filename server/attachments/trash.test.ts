// Removed files are listed, restored and purged, and follow their records and activities.
import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import type { RestoredAttachment, TrashedAttachment } from '../../contract/attachment-trash.ts'
import type { Attachment } from '../../contract/attachments.ts'
import { ATTACHMENTS_MAX } from '../../contract/limits.ts'
import { newId } from '../base/id.ts'
import { buildFileService } from '../files/files.fixture.ts'
import { bodyOf, createRecord, expectError, type Org } from '../test/factories.ts'
import { buildOffice, type Office } from './attachments.fixture.ts'
import { purgeOldAttachments } from './trash.ts'

const NO_SUCH = '0198c0de-0000-7000-8000-000000000001'

const service = await buildFileService()
const { db } = service.ctx
const PEOPLE = '/objects/people/records'
const purge = () => purgeOldAttachments(service.ctx, new AbortController().signal, new Date())

const attach = async ({ mia, upload }: Office, place: string, name = 'offer.png') =>
  (await mia.post<Attachment>(place, { url: await upload(name) })).body

async function removed(office: Office, place: string, name?: string): Promise<Attachment> {
  const attachment = await attach(office, place, name)
  expect((await office.mia.delete(`${place}/${attachment.id}`)).status).toBe(200)
  return attachment
}

const restore = ({ mia }: Office, id: string) =>
  mia.post<RestoredAttachment>(`/trashed-attachments/${id}/restore`)
const trashOf = async ({ mia }: Office) =>
  (await mia.get<{ attachments: TrashedAttachment[] }>('/trashed-attachments')).body.attachments
const rowsOf = ({ org }: Org) => db.many(sql`select from trash_attachments where org = ${org}`)

describe.each(['record', 'activity'] as const)('a removed file of a %s', (kind) => {
  test('is listed, and restored unchanged', async () => {
    const office = await buildOffice(service)
    const { mia, list, personId, activityId } = office
    const place = office.places[kind]
    const [first, second] = [await attach(office, place), await attach(office, place, 'b.png')]
    await mia.delete(`${place}/${first.id}`)
    expect(await list(place)).toEqual([second])
    const people = (await office.org.get<{ id: string }>('/objects/people')).body.id
    const of =
      kind === 'record'
        ? { objectId: people, recordId: personId, activityId: null }
        : { objectId: null, recordId: null, activityId }
    const deleted = { deletedAt: expect.any(String), deletedBy: first.createdBy, purgeAt: expect.any(String) }
    expect(await trashOf(office)).toEqual([{ ...first, ...of, ...deleted }])
    // The address of the file works while the file is kept.
    expect((await service.get(first.url)).statusCode).toBe(200)
    expect(await restore(office, first.id.toUpperCase())).toMatchObject({
      status: 200,
      body: { ...first, ...of },
    })
    expect(await list(place)).toEqual([first, second])
    expect(await trashOf(office)).toEqual([])
    expectError(await restore(office, first.id), 'not_found')
  })

  test('that was attached again returns the existing attachment', async () => {
    const office = await buildOffice(service)
    const { mia, list } = office
    const place = office.places[kind]
    const { id, url } = await removed(office, place)
    const again = (await mia.post<Attachment>(place, { url, name: 'Again.png' })).body
    expect(again.id).not.toBe(id)
    expect(await restore(office, id)).toMatchObject({ status: 200, body: again })
    expect(await list(place)).toEqual([again])
    expect(await trashOf(office)).toEqual([])
  })

  test('cannot be restored beyond the limit', async () => {
    const office = await buildOffice(service)
    const { org, mia } = office
    const place = office.places[kind]
    const trashed = await removed(office, place)
    const { id } = await attach(office, place)
    const column = kind === 'record' ? sql`obj, record_id` : sql`activity_id`
    for (let nr = 1; nr < ATTACHMENTS_MAX; nr++) {
      const file = newId()
      await db.run(sql`
        insert into files (org, id, bucket, path, key, token, state, size, content_type, expires_at, stored_at)
        values (${org.org}, ${file}, 'x', ${file}, ${file}, ${file}, 'stored', 1, 'image/png', now(), now())`)
      await db.run(sql`
        insert into attachments (org, id, ${column}, file_id, name)
        select org, ${file}, ${column}, ${file}, 'x' from attachments where id = ${id}`)
    }
    expectError(await restore(office, trashed.id), 'limit_reached')
    await mia.delete(`${place}/${id}`)
    expect((await restore(office, trashed.id)).status).toBe(200)
  })
})

test('removed files are found only in their organization, and only with the required scopes', async () => {
  const [office, other] = [await buildOffice(service), await buildOffice(service)]
  const { id } = await removed(office, office.places.record)
  const live = await attach(office, office.places.record, 'b.png')
  for (const one of [NO_SUCH, 'hello', live.id]) {
    expectError(await restore(office, one), 'not_found')
    expectError(await office.mia.delete(`/trashed-attachments/${one}`), 'not_found')
  }
  expectError(await restore(other, id), 'not_found')
  expectError(await other.mia.delete(`/trashed-attachments/${id}`), 'not_found')
  expect(await trashOf(other)).toEqual([])
  const { org } = office
  const reading = { authorization: `Bearer ${await org.keyWith(['attachments:read'])}` }
  expectError(await org.post(`/trashed-attachments/${id}/restore`, undefined, reading), 'insufficient_scope')
  const byKey = await org.get<{ attachments: TrashedAttachment[] }>('/trashed-attachments', reading)
  // Names and emails are only for callers that may read members.
  const { userId } = office.mia
  expect(byKey.body.attachments).toMatchObject([{ id, createdBy: { id: userId }, deletedBy: { id: userId } }])
  expect(byKey.body.attachments[0]?.deletedBy).toEqual({ id: userId })
})

test('removed files are listed in pages, the last removed first', async () => {
  const office = await buildOffice(service)
  const ids: string[] = []
  for (const name of ['a.png', 'b.png', 'c.png'])
    ids.unshift((await removed(office, office.places.record, name)).id)
  interface List {
    attachments: TrashedAttachment[]
    pagination: { nextCursor?: string; total: number }
  }
  const page = async (query: string) => (await office.mia.get<List>(`/trashed-attachments?${query}`)).body
  const first = await page('limit=2')
  expect(first.attachments.map(({ id }) => id)).toEqual(ids.slice(0, 2))
  expect(first.pagination.total).toBe(3)
  const second = await page(`limit=2&cursor=${first.pagination.nextCursor}`)
  expect(second.attachments.map(({ id }) => id)).toEqual(ids.slice(2))
  expect(second.pagination.nextCursor).toBeUndefined()
})

describe('the record of a removed file', () => {
  const merge = async ({ org }: Office, winnerId: string, loser: string): Promise<string> => {
    const reply = await org.post<{ mergeId: string }>(`${PEOPLE}/merge`, { winnerId, loserIds: [loser] })
    expect(reply.status).toBe(200)
    return reply.body.mergeId
  }
  const unmerge = async ({ org }: Office, id: string) =>
    bodyOf(await org.post<{ losses: object[] }>(`/objects/people/merges/${id}/undo`)).losses
  const filesOf = ({ list }: Office, id: string) => list(`${PEOPLE}/${id}/attachments`)

  test('gets the file back after both are restored', async () => {
    const office = await buildOffice(service)
    const { org, places, personId, list } = office
    const file = await removed(office, places.record)
    await org.delete(`${PEOPLE}/${personId}`)
    expectError(await restore(office, file.id), 'not_found')
    expect(await trashOf(office)).toHaveLength(1)
    await org.post(`/objects/people/trashed-records/${personId}/restore`)
    expect(await list(places.record)).toEqual([])
    expect((await restore(office, file.id)).status).toBe(200)
    expect(await list(places.record)).toEqual([file])
  })

  test('is the last winner of several merges, and each earlier record as they are undone', async () => {
    const office = await buildOffice(service)
    const { mia, personId } = office
    const [second, third] = [
      await createRecord(mia, 'people', { name: 'Bo' }),
      await createRecord(mia, 'people', { name: 'Cy' }),
    ]
    const file = await removed(office, office.places.record)
    const merges = [await merge(office, second.id, personId), await merge(office, third.id, second.id)]
    expect(await restore(office, file.id)).toMatchObject({ status: 200, body: { recordId: third.id } })
    await unmerge(office, merges[1] ?? '')
    expect(await filesOf(office, second.id)).toEqual([file])
    await unmerge(office, merges[0] ?? '')
    expect(await filesOf(office, personId)).toEqual([file])
  })

  test('is the merged record if a merge is undone after the file was removed from the winner', async () => {
    const office = await buildOffice(service)
    const { mia, personId, places } = office
    const winner = await createRecord(mia, 'people', { name: 'Bo' })
    const file = await attach(office, places.record)
    const merged = await merge(office, winner.id, personId)
    await mia.delete(`${PEOPLE}/${winner.id}/attachments/${file.id}`)
    expect(await unmerge(office, merged)).toMatchObject([{ code: 'file_changed', recordId: personId }])
    expect(await trashOf(office)).toMatchObject([{ id: file.id, recordId: personId }])
    expect((await restore(office, file.id)).status).toBe(200)
    expect(await filesOf(office, personId)).toEqual([file])
    expect(await filesOf(office, winner.id)).toEqual([])
  })

  test('deletes the file when it is deleted permanently', async () => {
    const office = await buildOffice(service)
    const { org, mia, personId, places } = office
    await removed(office, places.record)
    const second = await createRecord(mia, 'people', { name: 'Bo' })
    await removed(office, `${PEOPLE}/${second.id}/attachments`)
    await org.delete(`${PEOPLE}/${personId}?permanent=true`)
    await org.delete(`${PEOPLE}/${second.id}`)
    await org.delete(`/objects/people/trashed-records/${second.id}`)
    expect(await rowsOf(org)).toEqual([])
  })

  test('cannot get the file back if its object is inactive; a deleted object hides the file', async () => {
    const office = await buildOffice(service)
    const owner = await office.org.member('owner')
    const { body: object } = await owner.post<{ id: string }>('/objects', {
      pluralName: 'Plans',
      singularName: 'Plan',
    })
    const { body: plan } = await owner.post<{ id: string }>('/objects/plans/records', { data: {} })
    const file = await removed(office, `/objects/plans/records/${plan.id}/attachments`)
    await owner.patch(`/objects/${object.id}`, { isActive: false })
    expectError(await restore(office, file.id), 'object_inactive')
    await owner.delete(`/objects/${object.id}`)
    expectError(await restore(office, file.id), 'not_found')
    expect(await trashOf(office)).toEqual([])
  })
})

describe('the activity of a removed file', () => {
  test('gets the file back after both are restored', async () => {
    const office = await buildOffice(service)
    const { org, places, activityId, list } = office
    const [kept, file] = [
      await attach(office, places.activity, 'a.png'),
      await removed(office, places.activity),
    ]
    await org.delete(`/activities/${activityId}`)
    expectError(await restore(office, file.id), 'not_found')
    await org.post(`/trashed-activities/${activityId}/restore`)
    expect(await list(places.activity)).toEqual([kept])
    expect((await restore(office, file.id)).status).toBe(200)
    expect(await list(places.activity)).toEqual([kept, file])
  })

  test('deletes the file when it is deleted permanently', async () => {
    const office = await buildOffice(service)
    const { org, places, activityId } = office
    await removed(office, places.activity)
    await org.delete(`/activities/${activityId}`)
    expect(await rowsOf(org)).toHaveLength(1)
    await org.delete(`/trashed-activities/${activityId}`)
    expect(await rowsOf(org)).toEqual([])
  })
})

test('permanently deleted files cannot be restored; the job deletes files after the trash days', async () => {
  const office = await buildOffice(service)
  const { org, mia, places } = office
  const long = await buildOffice(service)
  await db.run(sql`update organizations set trash_days = 60 where org = ${long.org.org}`)
  const [purged, old, fresh] = [
    await removed(office, places.record, 'a.png'),
    await removed(office, places.record, 'b.png'),
    await removed(office, places.activity, 'c.png'),
  ]
  const kept = await removed(long, long.places.record)
  expect(await mia.delete(`/trashed-attachments/${purged.id}`)).toMatchObject({
    status: 200,
    body: { id: purged.id, deleted: true },
  })
  expectError(await restore(office, purged.id), 'not_found')
  await db.run(sql`
    update trash_attachments set deleted_at = now() - interval '31 days'
    where org = any(${[org.org, long.org.org]}::int[]) and id = any(${[old.id, kept.id]}::uuid[])`)
  await purge()
  expect((await trashOf(office)).map(({ id }) => id)).toEqual([fresh.id])
  expect((await trashOf(long)).map(({ id }) => id)).toEqual([kept.id])
})

test('the job deletes files of records and activities that an earlier version has deleted permanently', async () => {
  const office = await buildOffice(service)
  const { org, mia, places, personId, activityId } = office
  for (const place of Object.values(places)) await removed(office, place)
  const bo = await createRecord(mia, 'people', { name: 'Bo' })
  const ofTrashed = await removed(office, `${PEOPLE}/${bo.id}/attachments`)
  await org.delete(`${PEOPLE}/${bo.id}`)
  const call = (await mia.post<{ id: string }>('/activities', { title: 'Call' })).body.id
  const ofCall = await removed(office, `/activities/${call}/attachments`)
  await org.delete(`/activities/${call}`)
  await purge()
  expect(await rowsOf(org)).toHaveLength(4)
  await db.run(sql`delete from records where org = ${org.org} and id = ${personId}`)
  await db.run(sql`delete from activities where org = ${org.org} and id = ${activityId}`)
  await purge()
  expect((await trashOf(office)).map(({ id }) => id)).toEqual([ofCall.id, ofTrashed.id])
})
