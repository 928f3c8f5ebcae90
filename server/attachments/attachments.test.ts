import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import type { ActivityAttachment, Attachment } from '../../contract/attachments.ts'
import { ACTIVITIES_MAX, ATTACHMENTS_MAX } from '../../contract/limits.ts'
import { newId } from '../base/id.ts'
import { buildFileService, PNG } from '../files/files.fixture.ts'
import { expectError } from '../test/factories.ts'
import { buildOffice } from './attachments.fixture.ts'

const NO_SUCH = '0198c0de-0000-7000-8000-000000000001'

const service = await buildFileService()
const office = await buildOffice(service)
const foreign = await buildOffice(service)

describe.each(['record', 'activity'] as const)('files of a %s', (kind) => {
  const place = office.places[kind]
  const attach = (body: unknown) => office.mia.post<Attachment>(place, body)

  test('are attached, listed in order, renamed and detached', async () => {
    const office = await buildOffice(service)
    const place = office.places[kind]
    const attach = (body: unknown) => office.mia.post<Attachment>(place, body)
    const url = await office.upload('offer.png')
    const made = await attach({ url })
    expect(made).toMatchObject({
      status: 201,
      body: {
        name: 'offer.png',
        url,
        size: PNG.length,
        contentType: 'image/png',
        createdBy: { id: office.mia.userId, name: 'Mia Member', email: office.mia.email },
      },
    })
    const path = place.replace(/^.*(?=\/(?:objects|activities)\/)/, '')
    const key = await office.org.keyWith(['attachments:read'])
    const byKey = await office.org.get<{ attachments: Attachment[] }>(path, {
      authorization: `Bearer ${key}`,
    })
    // Names and emails are only for callers that may read members.
    expect(byKey.body.attachments).toEqual([{ ...made.body, createdBy: { id: office.mia.userId } }])
    const second = await attach({
      url: await office.upload('notes.txt', 'text/plain'),
      name: ' My notes.txt ',
    })
    expect(second.body.name).toBe('My notes.txt')
    expect(await office.list(place)).toEqual([made.body, second.body])
    const renamed = await office.mia.patch<Attachment>(`${place}/${made.body.id}`, { name: 'Contract.png' })
    expect(renamed).toMatchObject({ status: 200, body: { ...made.body, name: 'Contract.png' } })
    expect(await office.mia.delete(`${place}/${made.body.id}`)).toMatchObject({
      status: 200,
      body: { id: made.body.id, deleted: true },
    })
    expect(await office.list(place)).toEqual([second.body])
    expectError(await office.mia.delete(`${place}/${made.body.id}`), 'not_found')
    // A file that is attached again gets its former position.
    const again = await attach({ url, name: 'Contract.png' })
    expect((await office.list(place)).map(({ id }) => id)).toEqual([again.body.id, second.body.id])
  })

  test('that are attached twice are one attachment', async () => {
    const url = await office.upload()
    const [one, other] = [await attach({ url }), await attach({ url, name: 'Other.png' })]
    expect(other).toMatchObject({ status: 201, body: { id: one.body.id, name: 'Other.png' } })
  })

  test('may also be attached to other records and activities', async () => {
    const url = await office.upload()
    for (const at of Object.values(office.places))
      expect(await office.mia.post(at, { url })).toMatchObject({ status: 201, body: { url } })
  })

  test.each([
    [{}, 'url'],
    [{ url: '' }, 'url'],
    [{ url: 'https://example.com/x.png' }, 'url'],
    [{ url: `/files/${'x'.repeat(43)}/x.png` }, 'url'],
    [{ url: `/files/${'x'.repeat(43)}/%zz` }, 'url'],
    [{ url: 'http://[' }, 'url'],
    [{ url: `/files/${'x'.repeat(43)}/x.png`, name: ' ' }, 'name'],
    [{ url: `/files/${'x'.repeat(43)}/x.png`, name: 'a\nb' }, 'name'],
    [{ url: `/files/${'x'.repeat(43)}/x.png`, name: 'x'.repeat(256) }, 'name'],
    [{ url: 'x', other: 1 }, 'other'],
  ])('are refused for %j', async (body, field) => {
    const reply = await attach(body)
    expectError(reply, 'validation_error')
    expect(JSON.stringify(reply.body)).toContain(`"path":"${field}"`)
  })

  test('must be uploaded files of the organization', async () => {
    expectError(await attach({ url: await foreign.upload() }), 'validation_error')
    const waiting = await service.ask(office.org)
    expectError(await attach({ url: waiting.publicUrl }), 'validation_error')
  })

  test('of another organization are not found', async () => {
    const url = await foreign.upload()
    const theirs = await foreign.mia.post<Attachment>(foreign.places[kind], { url })
    const at = `${foreign.places[kind]}/${theirs.body.id}`
    expectError(await office.mia.get(foreign.places[kind]), 'not_found')
    expectError(await office.mia.post(foreign.places[kind], { url: await office.upload() }), 'not_found')
    expectError(await office.mia.patch(at, { name: 'x' }), 'not_found')
    expectError(await office.mia.delete(at), 'not_found')
    // They are also not found under an address of the caller's organization.
    expectError(await office.mia.patch(`${place}/${theirs.body.id}`, { name: 'x' }), 'not_found')
    expectError(await office.mia.delete(`${place}/${theirs.body.id}`), 'not_found')
    expect(await foreign.list(foreign.places[kind])).toEqual([theirs.body])
  })

  test('cannot get an invalid name', async () => {
    const { body } = await attach({ url: await office.upload() })
    for (const name of ['', '  ', 'a\u0000', 'x'.repeat(256)])
      expectError(await office.mia.patch(`${place}/${body.id}`, { name }), 'validation_error')
    expect(await office.mia.patch(`${place}/${body.id}`, {})).toMatchObject({ status: 200, body })
  })

  test.each(['nothing', NO_SUCH])('of %s are not found', async (id) => {
    const other =
      kind === 'record' ? `/objects/people/records/${id}/attachments` : `/activities/${id}/attachments`
    expectError(await office.mia.get(other), 'not_found')
    expectError(await office.mia.post(other, { url: await office.upload() }), 'not_found')
    expectError(await office.mia.patch(`${place}/${id}`, { name: 'x' }), 'not_found')
    expectError(await office.mia.delete(`${place}/${id}`), 'not_found')
  })

  test('are limited in number', async () => {
    const full = await buildOffice(service)
    const url = await full.upload()
    const column = kind === 'record' ? sql`obj, record_id` : sql`activity_id`
    const { body } = await full.mia.post<Attachment>(full.places[kind], { url })
    for (let nr = 1; nr < ATTACHMENTS_MAX; nr++) {
      const id = newId()
      await service.ctx.db.run(sql`
        insert into files (org, id, bucket, path, key, token, state, size, content_type, expires_at, stored_at)
        values (${full.org.org}, ${id}, 'x', ${id}, ${id}, ${id}, 'stored', 1, 'image/png', now(), now())`)
      await service.ctx.db.run(sql`
        insert into attachments (org, id, ${column}, file_id, name)
        select org, ${id}, ${column}, ${id}, 'x' from attachments where id = ${body.id}`)
    }
    const reply = await full.mia.post(full.places[kind], { url: await full.upload() })
    expectError(reply, 'limit_reached')
    // An attached file can be attached again at the limit.
    expect(await full.mia.post(full.places[kind], { url, name: 'Again.png' })).toMatchObject({
      status: 201,
      body: { id: body.id, name: 'Again.png' },
    })
  })
})

test('POST /activity-attachments returns the files of several activities of the organization', async () => {
  const [one, other] = [await buildOffice(service), await buildOffice(service)]
  const mine = await one.mia.post<Attachment>(one.places.activity, { url: await one.upload() })
  await other.mia.post(other.places.activity, { url: await other.upload() })
  const activityIds = [one.activityId, other.activityId, NO_SUCH]
  const { status, body } = await one.mia.post<{ attachments: ActivityAttachment[] }>(
    '/activity-attachments',
    {
      activityIds,
    },
  )
  expect(status).toBe(200)
  expect(body.attachments).toEqual([{ activityId: one.activityId, attachment: mine.body }])
  for (const ids of [[], ['x'], Array.from({ length: ACTIVITIES_MAX + 1 }, newId)])
    expectError(await one.mia.post('/activity-attachments', { activityIds: ids }), 'validation_error')
})

test('lists the files of an activity while the activity is being deleted', async () => {
  const { mia, places, activityId, upload, list } = await buildOffice(service)
  const { body } = await mia.post<Attachment>(places.activity, { url: await upload() })
  await service.ctx.db.transaction(async (tx) => {
    await tx.run(sql`select from activities where id = ${activityId} for update`)
    expect(await list(places.activity)).toEqual([body])
  })
})

test('records of an inactive object keep their files, and reject changes of them', async () => {
  const { org, mia, places, upload, list } = await buildOffice(service)
  const owner = await org.member('owner')
  const { body: object } = await owner.post<{ id: string }>('/objects', {
    pluralName: 'Plans',
    singularName: 'Plan',
  })
  const { body: record } = await owner.post<{ id: string }>('/objects/plans/records', { data: {} })
  const place = `/objects/plans/records/${record.id}/attachments`
  const { body } = await mia.post<Attachment>(place, { url: await upload() })
  await owner.patch(`/objects/${object.id}`, { isActive: false })
  expect(await list(place)).toEqual([body])
  expectError(await mia.post(place, { url: await upload() }), 'object_inactive')
  expectError(await mia.patch(`${place}/${body.id}`, { name: 'x' }), 'object_inactive')
  expectError(await mia.delete(`${place}/${body.id}`), 'object_inactive')
  expect(await list(places.record)).toEqual([])
})
