// Which record comes before and after the one that is open: those of the list it was opened from.
import { queryOptions } from '@tanstack/react-query'
import { request } from '../../../shared/api/client.ts'
import { recordsKey } from '../../../shared/api/records.ts'

export interface RecordList {
  /** In the list's order, as far as it was loaded; undefined where it was not. */
  ids: readonly (string | undefined)[]
  /** How many the list has, loaded or not. */
  total: number
}

export interface Neighbours {
  previous: string | undefined
  next: string | undefined
  /** 1 for the first. */
  place: number
  total: number
}

const lists = new Map<string, RecordList>()
const keyOf = (org: string, object: string) => `${org}/${object}`

/** The list that is seen now: each list that shows records of the object in an order sets it. @param object its slug */
export function rememberRecords(org: string, object: string, list: RecordList): void {
  lists.set(keyOf(org, object), list)
}

/** undefined when the record is not in the list. */
export function placeIn({ ids, total }: RecordList, id: string): Neighbours | undefined {
  const index = ids.indexOf(id)
  if (index < 0) return undefined
  return { previous: ids[index - 1], next: ids[index + 1], place: index + 1, total }
}

/** In the list the record was opened from; undefined when it was opened otherwise. */
export function rememberedNeighbours(org: string, object: string, id: string): Neighbours | undefined {
  const list = lists.get(keyOf(org, object))
  return list && placeIn(list, id)
}

const NEWEST = 1000

/** The order of records that were opened without a list: the newest first. */
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
