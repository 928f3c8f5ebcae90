// A preview of what deleting records would also delete.
import { queryOptions } from '@tanstack/react-query'
import { request } from '../../../shared/api/client.ts'

export const recordDeletionQuery = (org: string, object: string, ids: readonly string[]) =>
  queryOptions({
    queryKey: [org, 'record-deletion', object, ids],
    queryFn: () =>
      request('POST /objects/:objectId/records/deletion', {
        org,
        params: { objectId: object },
        body: { ids },
      }),
    staleTime: 0,
  })
