// A signed-in member with a person, an activity about the person, and files to attach.

import type { Static } from 'typebox'
import type { Attachment, AttachmentList } from '../../contract/attachments.ts'
import { DASHBOARD_BUCKET } from '../../contract/buckets.ts'
import type { UploadUrl } from '../../contract/files.ts'
import type { FileService } from '../files/files.fixture.ts'
import type { SignedInMember } from '../test/dashboard-client.ts'
import { createRecord, type Org } from '../test/factories.ts'

export interface Office {
  org: Org
  mia: SignedInMember
  personId: string
  activityId: string
  /** The addresses of the files of the person and of the activity. */
  places: { record: string; activity: string }
  /** Uploads a file as the dashboard does. @returns its public address */
  upload(name?: string, type?: string): Promise<string>
  list(place: string): Promise<Attachment[]>
}

let made = 0

export async function buildOffice(service: FileService): Promise<Office> {
  const org = await service.org()
  const mia = await org.member('member')
  const { id: personId, objectId } = await createRecord(mia, 'people', { name: 'Ada Lovelace' })
  const { body } = await mia.post<{ id: string }>('/activities', {
    title: 'Lunch',
    linkedRecords: [{ objectId, recordId: personId }],
  })
  return {
    org,
    mia,
    personId,
    activityId: body.id,
    places: {
      record: `/objects/people/records/${personId}/attachments`,
      activity: `/activities/${body.id}/attachments`,
    },
    async upload(name = 'offer.png', type = 'image/png') {
      const asked = { bucket: DASHBOARD_BUCKET, path: `${++made}/${name}` }
      const { body } = await mia.post<UploadUrl>('/files/upload-url', asked)
      const { signedUrl, publicUrl } = body
      const stored = await service.put(signedUrl, undefined, { 'content-type': type })
      if (stored.statusCode !== 200) throw new Error(stored.payload)
      return publicUrl
    },
    list: async (place) => (await mia.get<Static<typeof AttachmentList>>(place)).body.attachments,
  }
}
