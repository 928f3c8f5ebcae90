// Files that programs uploaded: they are listed, read and deleted over the API.
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import type { UploadedFile } from '../../contract/files.ts'
import { buildFileService } from '../files/files.fixture.ts'
import { expectError, type Org } from '../test/factories.ts'
import { buildOffice } from './attachments.fixture.ts'
import { sweepUnused } from './jobs.ts'

const service = await buildFileService()

type Page = { files: UploadedFile[]; pagination: { total: number } }
const list = async (org: Org, query = '') => (await org.get<Page>(`/files${query}`)).body

const statusOf = async (url: string) => (await service.get(url)).statusCode

test('files are listed by bucket and prefix, newest first, without those of the dashboard', async () => {
  const office = await buildOffice(service)
  const { org } = office
  await office.upload()
  const other = await service.org()
  await service.stored(other)
  const url = await service.stored(org, { bucket: 'avatars', path: 'people/ada.png' })
  await service.stored(org, { bucket: 'avatars', path: 'companies/acme.png' })
  await service.stored(org, { bucket: 'logos', path: 'people/ada.png' })
  await service.ask(org, { bucket: 'avatars', path: 'people/waiting.png' })
  const all = await list(org)
  expect(all.pagination.total).toBe(3)
  expect(all.files.map(({ bucket, path }) => `${bucket} ${path}`)).toEqual([
    'logos people/ada.png',
    'avatars companies/acme.png',
    'avatars people/ada.png',
  ])
  const { files } = await list(org, '?bucket=avatars&prefix=people%2F')
  expect(files).toMatchObject([
    { path: 'people/ada.png', name: 'ada.png', contentType: 'image/png', url, createdBy: { id: org.userId } },
  ])
  expect((await list(org, '?prefix=%25')).files).toEqual([])
  expectError(await org.get('/files?prefix=%00'), 'invalid_parameter')
  expect((await org.get(`/files/${files[0]?.id}`)).body).toEqual(files[0])
  expectError(await other.get(`/files/${files[0]?.id}`), 'not_found')
})

test('a deleted file is not readable, its path is free, and the sweep removes its content', async () => {
  const org = await service.org()
  const asked = { bucket: 'avatars', path: 'ada.png' }
  const url = await service.stored(org, asked)
  const [file] = (await list(org)).files
  const before = (await service.onDisk()).length
  expect((await org.delete(`/files/${file?.id}`)).body).toEqual({ id: file?.id, deleted: true })
  expect(await statusOf(url)).toBe(404)
  expect((await list(org)).files).toEqual([])
  expectError(await org.get(`/files/${file?.id}`), 'not_found')
  expectError(await org.delete(`/files/${file?.id}`), 'not_found')
  expect(await statusOf(await service.stored(org, asked))).toBe(200)
  await service.ctx.db.run(sql`
    update files set unused_since = unused_since - interval '2 days' where org = ${org.org} and unused_since is not null`)
  await sweepUnused(service.ctx, new AbortController().signal, new Date())
  expect((await service.onDisk()).length).toBe(before)
  const usage = await service.ctx.db.one(sql`select files from file_usage where org = ${org.org}`)
  expect(usage).toEqual({ files: 1 })
})

test('a file in use is not deleted, and the refusal names what uses it', async () => {
  const { org, personId, places, activityId } = await buildOffice(service)
  const url = await service.stored(org)
  const [file] = (await list(org)).files
  const path = `/files/${file?.id}`
  const refusal = async () => {
    const reply = await org.delete(path)
    expectError(reply, 'wrong_state')
    expect(await statusOf(url)).toBe(200)
    return reply.body as object
  }
  const attachment = await org.post<{ id: string }>(places.record, { url })
  expect(await refusal()).toMatchObject({
    message: expect.stringContaining(`an attachment of the record ${personId}`),
    details: { usedBy: [{ kind: 'attachment', recordId: personId, activityId: null }] },
  })
  await org.delete(`${places.record}/${attachment.body.id}`)
  expect(await refusal()).toMatchObject({ details: { usedBy: [{ kind: 'trash', recordId: personId }] } })
  await org.delete(`/trashed-attachments/${attachment.body.id}`)
  const picture = `/objects/people/records/${personId}/picture`
  expect((await org.post(picture, { url })).status).toBe(200)
  expect(await refusal()).toMatchObject({ details: { usedBy: [{ kind: 'picture', recordId: personId }] } })
  await org.delete(picture)
  const attached = await org.post<{ id: string }>(places.activity, { url })
  expect(await refusal()).toMatchObject({ details: { usedBy: [{ kind: 'attachment', activityId }] } })
  await org.delete(`${places.activity}/${attached.body.id}`)
  await org.delete(`/trashed-attachments/${attached.body.id}`)
  expect((await org.delete(path)).status).toBe(200)
  expectError(await org.post(places.record, { url }), 'validation_error')
})
