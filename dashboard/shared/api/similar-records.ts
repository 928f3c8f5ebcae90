// Records that are probably duplicates of a new record.
import { queryOptions } from '@tanstack/react-query'
import { fieldQuery } from './queries.ts'
import { type RecordData, recordsKey } from './records.ts'

/** Existing records that are probably duplicates of a new record with these values. */
export const similarRecordsQuery = (org: string, object: string, data: RecordData) =>
  queryOptions({
    ...fieldQuery(
      [...recordsKey(org, object), 'similar', data],
      'POST /objects/:objectId/records/duplicates',
      { org, params: { objectId: object }, body: { data } },
      'matches',
    ),
    // The service refuses incomplete values. The form shows such errors when it is submitted.
    retry: false,
  })
