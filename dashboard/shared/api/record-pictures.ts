// Pictures of records: asked for one by one, fetched together.
import { queryOptions } from '@tanstack/react-query'
import type { RecordPicture } from '../../../contract/attachments.ts'
import { organizationPath, request } from './client.ts'
import { reachable } from './file-address.ts'
import { gathering } from './gather.ts'

async function fetchPictures(org: string, recordIds: readonly string[]): Promise<Map<string, string>> {
  const { pictures } = await request<{ pictures: RecordPicture[] }>(
    'POST',
    `${organizationPath(org)}/record-pictures`,
    { body: { recordIds } },
  )
  return new Map(pictures.map(({ recordId, url }) => [recordId, reachable(url)]))
}

const ask = gathering(fetchPictures, (id: string) => id)

/** The picture's address; null: there is none. */
export const recordPictureQuery = (org: string, recordId: string) =>
  queryOptions({
    queryKey: [org, 'record-picture', recordId],
    queryFn: () => ask(org, recordId),
    staleTime: 60_000,
  })

export interface PicturedRecord {
  /** Slug or id. */
  object: string
  id: string
}

const picturePath = (org: string, { object, id }: PicturedRecord) =>
  `${organizationPath(org)}/objects/${object}/records/${id}/picture`

/** @param url of an uploaded file */
export const putPicture = (org: string, record: PicturedRecord, url: string) =>
  request<RecordPicture>('POST', picturePath(org, record), { body: { url } })

export const deletePicture = (org: string, record: PicturedRecord) =>
  request('DELETE', picturePath(org, record))
