// An erasure also removes files in the trash.
import { expect, test } from 'vitest'
import type { ErasurePreview, PrivacyRequest } from '../../contract/privacy.ts'
import { buildFileService } from '../files/files.fixture.ts'
import { findMarkers } from './erasure.fixture.ts'

const service = await buildFileService()
const PEOPLE = '/objects/people/records'

test('an erasure removes deleted files of the record and of its activities', async () => {
  const org = await service.org()
  const { body: made } = await org.post<{ id: string; objectId: string }>(PEOPLE, {
    data: { name: 'Zorblax' },
  })
  const { id: person, objectId } = made
  const addCall = async () => {
    const linkedRecords = [{ objectId, recordId: person }]
    return (await org.post<{ id: string }>('/activities', { title: 'Call', linkedRecords })).body.id
  }
  const [live, trashed] = [await addCall(), await addCall()]
  const places = [`${PEOPLE}/${person}`, `/activities/${live}`, `/activities/${trashed}`]
  const urls = await Promise.all(
    places.map(async (place) => {
      const url = await service.stored(org)
      const { body } = await org.post<{ id: string }>(`${place}/attachments`, { url, name: 'zorblax.png' })
      await org.delete(`${place}/attachments/${body.id}`)
      return url
    }),
  )
  await org.delete(`/activities/${trashed}`)
  const preview = await org.get<ErasurePreview>(`${PEOPLE}/${person}/erasure`)
  expect(preview.body.counts.files).toBe(3)
  const { body: request } = await org.post<PrivacyRequest>(`${PEOPLE}/${person}/erasure`, { confirm: person })
  await service.drain()
  expect((await org.get<PrivacyRequest>(`/privacy/requests/${request.id}`)).body.counts.files).toBe(3)
  for (const url of urls) expect((await service.get(url)).statusCode).toBe(404)
  expect(await findMarkers(service, org, ['zorblax'])).toEqual([])
})
