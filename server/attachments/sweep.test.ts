// The sweep of files that are no longer used.
import sql from 'sql-template-tag'
import { expect, test, vi } from 'vitest'
import type { Attachment } from '../../contract/attachments.ts'
import { buildFileService } from '../files/files.fixture.ts'
import { sweepFiles } from '../files/jobs.ts'
import { expectError, type Org } from '../test/factories.ts'
import { buildOffice, type Office } from './attachments.fixture.ts'
import { sweepUnused } from './jobs.ts'

const service = await buildFileService()
const { ctx } = service
const { signal } = new AbortController()
const sweep = () => sweepUnused(ctx, signal, new Date())
const isThere = async (url: string) => (await service.get(url)).statusCode === 200
const hoursPass = ({ org }: Org, hours: number) =>
  ctx.db.run(sql`
    update files set unused_since = unused_since - make_interval(hours => ${hours}::int) where org = ${org}`)

/** Removes an attachment, and deletes it from the trash. */
async function removeForGood({ mia }: Office, place: string, id: string | undefined): Promise<void> {
  await mia.delete(`${place}/${id}`)
  expect((await mia.delete(`/trashed-attachments/${id}`)).status).toBe(200)
}

test('keeps a file while it is in the trash', async () => {
  const { org, mia, places, upload } = await buildOffice(service)
  const url = await upload()
  const { body } = await mia.post<Attachment>(places.record, { url })
  await ctx.db.run(sql`update files set unused_since = now() - interval '2 days' where org = ${org.org}`)
  await mia.delete(`${places.record}/${body.id}`)
  await sweep()
  await hoursPass(org, 30)
  await sweep()
  expect(await isThere(url)).toBe(true)
  const usage = sql`select files, bytes from file_usage where org = ${org.org}`
  expect(await ctx.db.one(usage)).toEqual({ files: 1, bytes: body.size })
  expect((await mia.post(`/trashed-attachments/${body.id}/restore`)).status).toBe(200)
})

test('removes a file a day after its purge from the trash, and lets it be attached again until then', async () => {
  const office = await buildOffice(service)
  const { org, mia, places, upload } = office
  const url = await upload()
  const { body } = await mia.post<Attachment>(places.record, { url })
  await sweep()
  await hoursPass(org, 30)
  await sweep()
  expect(await isThere(url)).toBe(true)
  await removeForGood(office, places.record, body.id)
  await sweep()
  await hoursPass(org, 22)
  await sweep()
  expect((await mia.post(places.record, { url })).status).toBe(201)
  await hoursPass(org, 30)
  await sweep()
  expect(await isThere(url)).toBe(true)
  const [again] = (await mia.get<{ attachments: Attachment[] }>(places.record)).body.attachments
  await removeForGood(office, places.record, again?.id)
  await sweep()
  // In the last hour the file cannot be used again, because the sweep may delete it at any time.
  await hoursPass(org, 23)
  expectError(await mia.post(places.record, { url }), 'validation_error')
  await hoursPass(org, 1)
  await sweep()
  expect(await isThere(url)).toBe(false)
  expect(await service.rows(org)).toEqual([])
  const { bytes } = await ctx.db.one<{ bytes: number }>(
    sql`select bytes from file_usage where org = ${org.org}`,
  )
  expect(bytes).toBe(0)
})

test('keeps a file while a record or an activity uses it', async () => {
  const { org, mia, places, upload, personId, activityId } = await buildOffice(service)
  const url = await upload()
  for (const place of Object.values(places)) await mia.post(place, { url })
  await mia.delete(`/activities/${activityId}`)
  await mia.delete(`/trashed-activities/${activityId}`)
  await sweep()
  await hoursPass(org, 25)
  await sweep()
  expect(await isThere(url)).toBe(true)
  await mia.delete(`/objects/people/records/${personId}`)
  await sweep()
  await hoursPass(org, 25)
  await sweep()
  expect(await isThere(url)).toBe(true)
  await mia.delete(`/objects/people/trash/${personId}`)
  await sweep()
  await hoursPass(org, 25)
  await sweep()
  expect(await isThere(url)).toBe(false)
})

test('keeps the files and the picture of a deleted record for its restore', async () => {
  const { org, mia, places, upload, personId, list } = await buildOffice(service)
  for (const name of ['a.png', 'b.png']) await mia.post(places.record, { url: await upload(name) })
  const picture = `/objects/people/records/${personId}/picture`
  await mia.post(picture, { url: await upload('face.png') })
  const before = { files: await list(places.record), picture: (await mia.get(picture)).body }
  expect(before.files).toHaveLength(2)
  await mia.delete(`/objects/people/records/${personId}`)
  await sweep()
  await hoursPass(org, 30)
  await sweep()
  expect((await mia.post(`/objects/people/trash/${personId}/restore`)).status).toBe(200)
  expect({ files: await list(places.record), picture: (await mia.get(picture)).body }).toEqual(before)
  for (const { url } of before.files) expect(await isThere(url)).toBe(true)
})

test('keeps pictures of records and of users', async () => {
  const { org, mia, personId, upload } = await buildOffice(service)
  const [face, image] = [await upload(), await upload()]
  const place = `/objects/people/records/${personId}/picture`
  await mia.post(place, { url: face })
  await mia.session.patch('/profile', { image })
  await sweep()
  await hoursPass(org, 25)
  await sweep()
  expect([await isThere(face), await isThere(image)]).toEqual([true, true])
  await mia.post(place, { url: image })
  await mia.session.patch('/profile', { image: null })
  await sweep()
  await hoursPass(org, 25)
  await sweep()
  expect([await isThere(face), await isThere(image)]).toEqual([false, true])
})

test('removes files that were never attached after a day, but keeps files of programs', async () => {
  const office = await buildOffice(service)
  const { org, mia, places, upload } = office
  const [forgotten, ofProgram] = [await upload(), await service.stored(org)]
  const { body } = await mia.post<Attachment>(places.record, { url: ofProgram })
  await removeForGood(office, places.record, body.id)
  await sweep()
  await hoursPass(org, 25)
  await sweep()
  expect([await isThere(forgotten), await isThere(ofProgram)]).toEqual([false, true])
})

test('removes a mark that was set by mistake', async () => {
  const { org, mia, places, upload } = await buildOffice(service)
  const url = await upload()
  await mia.post(places.record, { url })
  await ctx.db.run(sql`update files set unused_since = now() - interval '2 days' where org = ${org.org}`)
  await sweep()
  expect(await isThere(url)).toBe(true)
})

test('continues after a file that cannot be removed, and removes that file in a later run', async () => {
  const { org, upload } = await buildOffice(service)
  const [first, second] = [await upload(), await upload()]
  await sweep()
  await hoursPass(org, 25)
  const stuck = vi.spyOn(ctx.files, 'delete').mockRejectedValueOnce(new Error('read-only'))
  await sweep()
  expect(stuck).toHaveBeenCalledTimes(2)
  stuck.mockRestore()
  expect([await isThere(first), await isThere(second)].toSorted()).toEqual([false, true])
  expect(await service.rows(org)).toHaveLength(1)
  await sweep()
  expect([await isThere(first), await isThere(second)]).toEqual([false, false])
  expect(await service.rows(org)).toEqual([])
})

test('removes all files of a deleted organization', async () => {
  const { org, mia, places, upload, personId } = await buildOffice(service)
  const url = await upload()
  await mia.post(places.record, { url })
  await mia.post(`/objects/people/records/${personId}/picture`, { url })
  await mia.delete(`/activities/${places.activity.split('/')[2]}`)
  await service.drop(org)
  await sweepFiles(ctx, signal, new Date())
  expect(await service.rows(org)).toEqual([])
})
