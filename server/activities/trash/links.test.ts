// Activities in the trash: their files, and their links to records that are deleted, restored or merged in between.
import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { buildOffice } from '../../attachments/attachments.fixture.ts'
import { markUnused } from '../../attachments/unused-store.ts'
import { buildFileService } from '../../files/files.fixture.ts'
import { bodyOf, type Org } from '../../test/factories.ts'
import { addRecord, create, type Ref } from '../activities.fixture.ts'
import { readActivity, restored, trashActivity, trashOf } from './trash.fixture.ts'

const service = await buildFileService()
const { db } = service.ctx

const COMPANIES = '/objects/companies'
const companies = (org: Org, ...names: string[]) =>
  Promise.all(names.map((name) => addRecord(org, 'companies', name)))

const call = async (org: Org, linkedRecords: Ref[], more: object = {}) =>
  (await create(org, { linkedRecords, ...more })).body.id

const linksOf = async (org: Org, id: string) =>
  (await readActivity(org, id)).linkedRecords.map(({ recordId }) => recordId)

const remove = (org: Org, { recordId }: Ref) => org.delete(`${COMPANIES}/records/${recordId}`)
const bringBack = (org: Org, { recordId }: Ref) =>
  org.post(`${COMPANIES}/trashed-records/${recordId}/restore`)

const ids = (...refs: (Ref | undefined)[]) => refs.map((ref) => ref?.recordId)

describe('a link to a record that is deleted and restored', () => {
  test('while the activity is in the trash is kept', async () => {
    const org = await service.org()
    const [a, b, c] = (await companies(org, 'A', 'B', 'C')) as [Ref, Ref, Ref]
    const id = await call(org, [a, b, c])
    await trashActivity(org, id)
    await remove(org, b)
    await bringBack(org, b)
    expect(await restored(org, id)).toEqual([])
    expect(await linksOf(org, id)).toEqual(ids(a, b, c))
  })

  test('after the restore of the activity returns to its place', async () => {
    const org = await service.org()
    const [a, b, c] = (await companies(org, 'A', 'B', 'C')) as [Ref, Ref, Ref]
    const id = await call(org, [a, b, c])
    await trashActivity(org, id)
    await remove(org, b)
    await remove(org, a)
    expect(await restored(org, id)).toMatchObject([
      { code: 'record_in_trash', recordId: a.recordId, attributeSlug: 'linkedRecords', activityId: id },
      { code: 'record_in_trash', recordId: b.recordId, attributeSlug: 'linkedRecords', activityId: id },
    ])
    expect(await linksOf(org, id)).toEqual(ids(c))
    await bringBack(org, b)
    await bringBack(org, a)
    expect(await linksOf(org, id)).toEqual(ids(a, b, c))
  })

  test('with the deletion of the activity in between returns in the trash', async () => {
    const org = await service.org()
    const [a, b] = (await companies(org, 'A', 'B')) as [Ref, Ref]
    const id = await call(org, [a, b])
    await remove(org, a)
    await trashActivity(org, id)
    await bringBack(org, a)
    expect((await trashOf(org)).activities[0]?.linkedRecords).toEqual([a, b])
    expect(await restored(org, id)).toEqual([])
    expect(await linksOf(org, id)).toEqual(ids(a, b))
  })
})

test('restore reports links to permanently deleted records as losses', async () => {
  const org = await service.org()
  const [a, b] = (await companies(org, 'A', 'B')) as [Ref, Ref]
  const ada = await addRecord(org, 'people')
  const id = await call(org, [a, b], { participants: [{ type: 'person', id: ada.recordId }] })
  await trashActivity(org, id)
  await org.delete(`${COMPANIES}/records/${a.recordId}?permanent=true`)
  await org.delete(`/objects/people/records/${ada.recordId}?permanent=true`)
  expect(await restored(org, id)).toMatchObject([
    { code: 'record_deleted', recordId: a.recordId, attributeSlug: 'linkedRecords' },
    { code: 'record_deleted', recordId: ada.recordId, attributeSlug: 'participants' },
  ])
  expect(await readActivity(org, id)).toMatchObject({ linkedRecords: [b], participants: [] })
})

test('a link to a record of a deleted object returns with the object', async () => {
  const org = await service.org()
  const { body: object } = await org.post<{ id: string }>('/objects', {
    pluralName: 'Boats',
    singularName: 'Boat',
  })
  await org.post('/objects/boats/attributes', { name: 'Name', slug: 'name', type: 'text' })
  const boat = await addRecord(org, 'boats', 'Argo')
  const id = await call(org, [boat])
  await trashActivity(org, id)
  await org.delete('/objects/boats')
  await restored(org, id)
  expect(await linksOf(org, id)).toEqual([])
  await org.post(`/trashed-objects/${object.id}/restore`, {})
  expect(await linksOf(org, id)).toEqual(ids(boat))
})

describe('a link to a record that is merged', () => {
  async function merge(org: Org, winner: Ref, loser: Ref, slug = 'companies'): Promise<string> {
    const body = { winnerId: winner.recordId, loserIds: [loser.recordId] }
    return bodyOf(await org.post<{ mergeId: string }>(`/objects/${slug}/records/merge`, body)).mergeId
  }
  const unmerge = async (org: Org, mergeId: string, slug = 'companies') =>
    expect((await org.post(`/objects/${slug}/merges/${mergeId}/undo`)).status).toBe(200)

  test('while the activity is in the trash leads to the winner, until the merge is undone', async () => {
    const org = await service.org()
    const [winner, loser, other] = (await companies(org, 'W', 'L', 'O')) as [Ref, Ref, Ref]
    const id = await call(org, [other, loser])
    await trashActivity(org, id)
    const mergeId = await merge(org, winner, loser)
    expect(await restored(org, id)).toEqual([])
    expect(await linksOf(org, id)).toEqual(ids(other, winner))
    await unmerge(org, mergeId)
    expect(await linksOf(org, id)).toEqual(ids(other, loser))
  })

  test('twice leads to the last winner, and back step by step when the merges are undone', async () => {
    const org = await service.org()
    const [a, b, c] = (await companies(org, 'A', 'B', 'C')) as [Ref, Ref, Ref]
    const id = await call(org, [a])
    await trashActivity(org, id)
    const first = await merge(org, b, a)
    const second = await merge(org, c, b)
    expect(await restored(org, id)).toEqual([])
    expect(await linksOf(org, id)).toEqual(ids(c))
    await unmerge(org, second)
    expect(await linksOf(org, id)).toEqual(ids(b))
    await unmerge(org, first)
    expect(await linksOf(org, id)).toEqual(ids(a))
  })

  test('twice as a participant leads to the last winner, and back in the same way', async () => {
    const org = await service.org()
    const [a, b, c] = [
      await addRecord(org, 'people', 'A'),
      await addRecord(org, 'people', 'B'),
      await addRecord(org, 'people', 'C'),
    ]
    const id = await call(org, [], { participants: [{ type: 'person', id: a.recordId }] })
    const people = async () => (await readActivity(org, id)).participants.map((one) => one.id)
    await trashActivity(org, id)
    const first = await merge(org, b, a, 'people')
    const second = await merge(org, c, b, 'people')
    expect(await restored(org, id)).toEqual([])
    expect(await people()).toEqual(ids(c))
    await unmerge(org, second, 'people')
    expect(await people()).toEqual(ids(b))
    await unmerge(org, first, 'people')
    expect(await people()).toEqual(ids(a))
  })

  test('before the deletion of the activity returns in the trash when the merge is undone', async () => {
    const org = await service.org()
    const [winner, loser] = (await companies(org, 'W', 'L')) as [Ref, Ref]
    const id = await call(org, [loser])
    const mergeId = await merge(org, winner, loser)
    await trashActivity(org, id)
    await unmerge(org, mergeId)
    expect(await restored(org, id)).toEqual([])
    expect(await linksOf(org, id)).toEqual(ids(loser))
  })
})

describe('files of an activity in the trash', () => {
  test('stay in use, and return with the activity', async () => {
    const office = await buildOffice(service)
    const { org, mia, activityId, places } = office
    await mia.post(places.activity, { url: await office.upload('offer.png') })
    const before = await office.list(places.activity)
    await trashActivity(org, activityId)
    await markUnused(db)
    const unused = sql`select from files where org = ${org.org} and unused_since is not null`
    expect(await db.many(unused)).toEqual([])
    await restored(org, activityId)
    expect(await office.list(places.activity)).toEqual(before)
  })

  test('are unused after the activity is deleted permanently', async () => {
    const office = await buildOffice(service)
    const { org, mia, activityId, places } = office
    await mia.post(places.activity, { url: await office.upload('offer.png') })
    await trashActivity(org, activityId)
    await org.delete(`/trashed-activities/${activityId}`)
    await markUnused(db)
    const unused = sql`select id from files where org = ${org.org} and unused_since is not null`
    expect(await db.many(unused)).toHaveLength(1)
  })
})
