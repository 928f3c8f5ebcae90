// Requests for many records: the matches of a filter, the preview of a deletion, and the export.
import { queryOptions } from '@tanstack/react-query'
import type { ExportBody } from '../../../../contract/exports.ts'
import type { RecordIdQuery } from '../../../../contract/record-sets.ts'
import type { SummaryQuery } from '../../../../contract/summaries.ts'
import { request, send } from '../../../shared/api/client.ts'
import { requestQuery } from '../../../shared/api/queries.ts'
import { recordsKey } from '../../../shared/api/records.ts'
import type { Sent } from '../../../shared/api/route-types.ts'

export const listRecordIds = (org: string, object: string, body: RecordIdQuery) =>
  request('POST /objects/:objectId/records/ids', { org, params: { objectId: object }, body })

/** The preview of a deletion. */
export const recordDeletionQuery = (org: string, object: string, ids: readonly string[]) =>
  queryOptions({
    queryKey: [...recordsKey(org, object), 'deletion', ids],
    queryFn: () =>
      request('POST /objects/:objectId/records/deletion', {
        org,
        params: { objectId: object },
        body: { ids },
      }),
    staleTime: 0,
    gcTime: 0,
  })

/** Exports CSV. The browser holds the file, a large one on disk if needed. @throws ApiError */
export async function exportRecords(org: string, object: string, body: Sent<ExportBody>): Promise<Blob> {
  const input = { org, params: { objectId: object }, body: { ...body, format: 'csv' } } as const
  return (await send('POST /objects/:objectId/records/export', input)).blob()
}

/** Summaries over all matching records. */
export const summariesQuery = (org: string, object: string, body: SummaryQuery) =>
  requestQuery([...recordsKey(org, object), 'summaries', body], 'POST /objects/:objectId/records/summaries', {
    org,
    params: { objectId: object },
    body,
  })
