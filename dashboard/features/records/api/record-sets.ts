// Many records at once: what a filter finds, what deleting them would take along, and as a file.
import { queryOptions } from '@tanstack/react-query'
import type { RecordDeletion } from '../../../../contract/deletion.ts'
import type { GroupList, GroupQuery } from '../../../../contract/groups.ts'
import type { RecordIdList, RecordIdQuery } from '../../../../contract/record-sets.ts'
import { organizationPath, request, send } from '../../../shared/api/client.ts'
import { recordsKey } from '../../../shared/api/records.ts'

const setPath = (org: string, object: string) => `${organizationPath(org)}/objects/${object}/records`

export const listRecordIds = (org: string, object: string, body: RecordIdQuery) =>
  request<RecordIdList>('POST', `${setPath(org, object)}/ids`, { body })

/** Shown before it is done. */
export const recordDeletionQuery = (org: string, object: string, ids: readonly string[]) =>
  queryOptions({
    queryKey: [...recordsKey(org, object), 'deletion', ids],
    queryFn: () => request<RecordDeletion>('POST', `${setPath(org, object)}/deletion`, { body: { ids } }),
    staleTime: 0,
    gcTime: 0,
  })

interface Export {
  columns: readonly string[]
  filter?: object | undefined
  sort?: object | undefined
  fileName: string
}

/** As CSV. A large file is kept by the browser, on disk where it must. @throws ApiError */
export const exportRecords = async (org: string, object: string, body: Export): Promise<Blob> =>
  (await send('POST', `${setPath(org, object)}/export`, { body: { ...body, format: 'csv' } })).blob()

/** Sums of a number or currency attribute, in groups. */
export const groupSumsQuery = (org: string, object: string, body: GroupQuery) =>
  queryOptions({
    queryKey: [...recordsKey(org, object), 'sums', body],
    queryFn: ({ signal }) => request<GroupList>('POST', `${setPath(org, object)}/groups`, { body, signal }),
  })
