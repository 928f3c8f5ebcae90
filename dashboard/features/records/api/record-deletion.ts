// What deleting records would take with it, asked before it is done.
import { queryOptions } from '@tanstack/react-query'
import type { RecordDeletion } from '../../../../contract/deletion.ts'
import { organizationPath, request } from '../../../shared/api/client.ts'

export const recordDeletionQuery = (org: string, object: string, ids: readonly string[]) =>
  queryOptions({
    queryKey: [org, 'record-deletion', object, ids],
    queryFn: () =>
      request<RecordDeletion>('POST', `${organizationPath(org)}/objects/${object}/records/deletion`, {
        body: { ids },
      }),
    staleTime: 0,
  })
