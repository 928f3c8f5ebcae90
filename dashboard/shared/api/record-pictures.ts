// Pictures of records. Lookups are combined into one request.
import { queryOptions } from '@tanstack/react-query'
import { request } from './client.ts'
import { reachable } from './file-address.ts'
import { gathering } from './gather.ts'

async function fetchPictures(org: string, recordIds: readonly string[]): Promise<Map<string, string>> {
  const { pictures } = await request('POST /record-pictures', { org, body: { recordIds } })
  return new Map(pictures.map(({ recordId, url }) => [recordId, reachable(url)]))
}

const ask = gathering(fetchPictures, (id: string) => id)

/** The address of the picture. null if the record has none. */
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

const paramsOf = ({ object, id }: PicturedRecord) => ({ objectId: object, recordId: id })

/** @param url of an uploaded file */
export const putPicture = (org: string, record: PicturedRecord, url: string) =>
  request('POST /objects/:objectId/records/:recordId/picture', {
    org,
    params: paramsOf(record),
    body: { url },
  })

export const deletePicture = (org: string, record: PicturedRecord) =>
  request('DELETE /objects/:objectId/records/:recordId/picture', { org, params: paramsOf(record) })
