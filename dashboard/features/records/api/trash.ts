// Deleted records that can be restored.
import { queryOptions } from '@tanstack/react-query'
import type { RestoreLoss } from '../../../../contract/trash.ts'
import { request } from '../../../shared/api/client.ts'
import { pagesQuery } from '../../../shared/api/queries.ts'
import { chunks, recordsKey } from '../../../shared/api/records.ts'

const AT_ONCE = 50

/** Begins with the key of the records, because changes of records change the trash. */
export const trashQuery = (org: string, object: string) =>
  pagesQuery([...recordsKey(org, object), 'trash'], 'GET /objects/:objectId/trashed-records', {
    org,
    params: { objectId: object },
    query: { limit: AT_ONCE },
  })

/** A dry run of a restore. */
export const restorePreviewQuery = (org: string, object: string, id: string) =>
  queryOptions({
    queryKey: [...recordsKey(org, object), 'deletion', 'restore', id],
    queryFn: () =>
      request('POST /objects/:objectId/trashed-records/:recordId/restore', {
        org,
        params: { objectId: object, recordId: id },
        query: { dryRun: true },
      }),
    staleTime: 0,
    gcTime: 0,
  })

export async function restoreRecords(org: string, object: string, ids: readonly string[]) {
  let restored = 0
  const unrestored: RestoreLoss[] = []
  for (const chunk of chunks(ids)) {
    const result = await request('POST /objects/:objectId/trashed-records/bulk/restore', {
      org,
      params: { objectId: object },
      body: { ids: chunk },
    })
    restored += result.restored
    unrestored.push(...result.losses)
  }
  return { restored, unrestored }
}

export const purgeRecord = (org: string, object: string, id: string) =>
  request('DELETE /objects/:objectId/trashed-records/:recordId', {
    org,
    params: { objectId: object, recordId: id },
  })
