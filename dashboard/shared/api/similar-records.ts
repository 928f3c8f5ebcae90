// Records that are probably duplicates of a new record.
import { queryOptions } from '@tanstack/react-query'
import { request } from './client.ts'
import { type RecordData, recordsKey } from './records.ts'

/** Existing records that are probably duplicates of a new record with these values. */
export const similarRecordsQuery = (org: string, object: string, data: RecordData) =>
  queryOptions({
    queryKey: [...recordsKey(org, object), 'similar', data],
    queryFn: async ({ signal }) => {
      const place = { org, params: { objectId: object } }
      return (
        await request('POST /objects/:objectId/records/duplicates', { ...place, body: { data }, signal })
      ).matches
    },
    // The service refuses incomplete values. The form shows such errors when it is submitted.
    retry: false,
  })
