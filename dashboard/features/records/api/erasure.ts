// Requests for erasing everything about a record, with a preview of what is removed and what stays.
import { queryOptions } from '@tanstack/react-query'
import { request, send } from '../../../shared/api/client.ts'

export const erasurePreviewQuery = (org: string, objectId: string, recordId: string) =>
  queryOptions({
    queryKey: [org, 'erasure', objectId, recordId],
    queryFn: () =>
      request('GET /objects/:objectId/records/:recordId/erasure', { org, params: { objectId, recordId } }),
    staleTime: 0,
  })

export const mentionsQuery = (org: string, objectId: string, recordId: string) =>
  queryOptions({
    queryKey: [org, 'mentions', objectId, recordId],
    queryFn: () =>
      request('GET /objects/:objectId/records/:recordId/mentions', { org, params: { objectId, recordId } }),
    staleTime: 0,
  })

export const eraseRecord = (org: string, objectId: string, recordId: string) =>
  request('POST /objects/:objectId/records/:recordId/erasure', {
    org,
    params: { objectId, recordId },
    body: { confirm: recordId },
  })

/** A ZIP file of everything about the record. */
export async function downloadArchive(org: string, objectId: string, recordId: string): Promise<Blob> {
  const input = { org, params: { objectId, recordId } }
  return (await send('POST /objects/:objectId/records/:recordId/archive', input)).blob()
}
