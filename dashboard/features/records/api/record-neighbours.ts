// The previous and next record of an open record, in the list from which it was opened.
import { queryOptions } from '@tanstack/react-query'
import { request } from '../../../shared/api/client.ts'
import { recordsKey } from '../../../shared/api/records.ts'

export interface RecordList {
  /** Ids in the order of the list; undefined for records that were not loaded. */
  ids: readonly (string | undefined)[]
  /** The number of records in the list, loaded or not. */
  total: number
}

export interface Neighbours {
  previous: string | undefined
  next: string | undefined
  /** Counted from 1. */
  place: number
  total: number
}

const lists = new Map<string, RecordList>()
const keyOf = (org: string, object: string) => `${org}/${object}`

/** Remembers the list that is shown now. Called by every ordered list of records. @param object slug of the object */
export function rememberRecords(org: string, object: string, list: RecordList): void {
  lists.set(keyOf(org, object), list)
}

/** @returns undefined when the record is not in the list */
export function placeIn({ ids, total }: RecordList, id: string): Neighbours | undefined {
  const index = ids.indexOf(id)
  if (index < 0) return undefined
  return { previous: ids[index - 1], next: ids[index + 1], place: index + 1, total }
}

/** Neighbours in the list from which the record was opened; undefined when it was opened in another way. */
export function rememberedNeighbours(org: string, object: string, id: string): Neighbours | undefined {
  const list = lists.get(keyOf(org, object))
  return list && placeIn(list, id)
}

const NEWEST = 1000

/** The newest records first: the list for records that were not opened from one. */
export const newestRecordsQuery = (org: string, object: string) =>
  queryOptions({
    queryKey: [...recordsKey(org, object), 'newest'],
    queryFn: async (): Promise<RecordList & { isComplete: boolean }> => {
      const { ids, isComplete } = await request('POST /objects/:objectId/records/ids', {
        org,
        params: { objectId: object },
        body: { sort: { field: 'created_at', order: 'desc' }, limit: NEWEST },
      })
      return { ids, total: ids.length, isComplete }
    },
    staleTime: 60_000,
  })
