import { describe, expect, test } from 'vitest'
import type { RecordPicture } from '../../contract/attachments.ts'
import { newId } from '../base/id.ts'
import { buildFileService } from '../files/files.fixture.ts'
import { createRecord, expectError } from '../test/factories.ts'
import { buildOffice } from './attachments.fixture.ts'

const NO_SUCH = '0198c0de-0000-7000-8000-000000000001'

const service = await buildFileService()
const { org, mia, personId, upload } = await buildOffice(service)
const foreign = await buildOffice(service)
const place = `/objects/people/records/${personId}/picture`

const picturesOf = async (recordIds: string[]) =>
  (await mia.post<{ pictures: RecordPicture[] }>('/record-pictures', { recordIds })).body.pictures

describe('the picture of a record', () => {
  test('can be set, replaced, listed with others, and removed', async () => {
    const [first, second] = [await upload(), await upload()]
    expect(await mia.post(place, { url: first })).toMatchObject({
      status: 200,
      body: { recordId: personId, url: first },
    })
    expect((await mia.post(place, { url: second })).body).toEqual({ recordId: personId, url: second })
    const acme = await createRecord(mia, 'companies', { name: 'Acme' })
    const logo = await upload()
    await mia.post(`/objects/companies/records/${acme.id}/picture`, { url: logo })
    const bare = await createRecord(mia, 'people', { name: 'Bo' })
    const found = await picturesOf([personId, acme.id, bare.id, NO_SUCH, foreign.personId])
    expect(found.toSorted((a, b) => (a.url < b.url ? -1 : 1))).toEqual(
      [
        { recordId: personId, url: second },
        { recordId: acme.id, url: logo },
      ].toSorted((a, b) => (a.url < b.url ? -1 : 1)),
    )
    expect((await mia.get(place)).body).toEqual({ recordId: personId, url: second })
    expect(await mia.delete(place)).toMatchObject({ status: 200, body: { id: personId, deleted: true } })
    expectError(await mia.get(place), 'not_found')
    expect(await picturesOf([personId])).toEqual([])
    expectError(await mia.delete(place), 'not_found')
  })

  test('is hidden when the record is deleted', async () => {
    const bo = await createRecord(mia, 'people', { name: 'Bo' })
    await mia.post(`/objects/people/records/${bo.id}/picture`, { url: await upload() })
    await mia.delete(`/objects/people/records/${bo.id}`)
    expect(await picturesOf([bo.id])).toEqual([])
    expectError(
      await mia.post(`/objects/people/records/${bo.id}/picture`, { url: await upload() }),
      'not_found',
    )
    expectError(await mia.delete(`/objects/people/records/${bo.id}/picture`), 'not_found')
  })

  test('must be a picture of the organization', async () => {
    // A picture that a program uploaded is accepted.
    const stored = await service.stored(org, { bucket: 'avatars' })
    expect((await mia.post(place, { url: stored })).status).toBe(200)
    const text = await upload('a.txt', 'text/plain')
    const svg = await upload('a.svg', 'image/svg+xml')
    for (const url of [text, svg, await foreign.upload(), 'https://example.com/a.png'])
      expectError(await mia.post(place, { url }), 'validation_error')
    expectError(await mia.post(place, {}), 'validation_error')
  })

  test('of another organization is not found', async () => {
    const theirs = `/objects/people/records/${foreign.personId}/picture`
    await foreign.mia.post(theirs, { url: await foreign.upload() })
    expectError(await mia.post(theirs, { url: await upload() }), 'not_found')
    expectError(await mia.delete(theirs), 'not_found')
    expectError(await mia.get(theirs), 'not_found')
    expect(await picturesOf([foreign.personId])).toEqual([])
  })

  test('of an inactive object cannot be changed', async () => {
    const owner = await org.member('owner')
    const { body } = await owner.post<{ id: string }>('/objects', {
      pluralName: 'Plans',
      singularName: 'Plan',
    })
    const plan = await createRecord(owner, 'plans', {})
    const at = `/objects/plans/records/${plan.id}/picture`
    const url = await upload()
    await mia.post(at, { url })
    await owner.patch(`/objects/${body.id}`, { isActive: false })
    expectError(await mia.post(at, { url }), 'object_inactive')
    expectError(await mia.delete(at), 'object_inactive')
    expect(await picturesOf([plan.id])).toEqual([{ recordId: plan.id, url }])
  })
})

test('an API key can set, read and remove a picture', async () => {
  const bo = await createRecord(mia, 'people', { name: 'Bo' })
  const at = `/objects/people/records/${bo.id}/picture`
  const url = await service.stored(org, { bucket: 'avatars' })
  const picture = { recordId: bo.id, url }
  expect(await org.post(at, { url })).toMatchObject({ status: 200, body: picture })
  expect((await org.get(at)).body).toEqual(picture)
  expect(await org.delete(at)).toMatchObject({ status: 200, body: { id: bo.id, deleted: true } })
})

test.each([[[]], [['x']], [Array.from({ length: 501 }, newId)]])(
  'POST /record-pictures refuses %#',
  async (recordIds) => {
    expectError(await mia.post('/record-pictures', { recordIds }), 'validation_error')
  },
)
