// The rows of a table by index. Pages of rows are loaded when they become visible.
import { hashKey, keepPreviousData, useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { RecordList } from '../../../../contract/records.ts'
import { type CrmRecord, searchQuery } from '../../../shared/api/records.ts'
import { pagesOf } from '../../../shared/table/row-window.ts'
import { useOrg } from '../../../shared/use-organization.ts'
import { PAGE_SIZE, pageBody, type RecordSet } from '../view/search-body.ts'
import { knownTotal } from './known-total.ts'

export interface Rows {
  /** undefined until the first page is loaded. */
  total: number | undefined
  /** The minimum number of rows if counting takes too long. `total` then grows with loaded pages. */
  atLeast: number | undefined
  /** Set if only this number of the newest records was searched. */
  searched: number | undefined
  at(row: number): CrmRecord | undefined
  /** The records of the rows `first` to `last`, inclusive; loads missing rows. @throws ApiError */
  load(first: number, last: number): Promise<CrmRecord[]>
  /** All loaded records, with the number of their page. */
  loadedPages(): [number, CrmRecord[]][]
  /** When a visible page was last loaded, milliseconds since 1970. */
  updatedAt: number
  /** The set of these rows. While another set is loading, the previous set. */
  shown: RecordSet
  isStale: boolean
  error: unknown
  retry(): void
}

/** Shows the previous set until the first page of the new set is loaded. */
function useShownSet(object: string, set: RecordSet) {
  const first = useQuery({
    ...searchQuery(useOrg(), object, pageBody(set, 0)),
    placeholderData: keepPreviousData,
  })
  const [shown, setShown] = useState(set)
  if (first.isSuccess && !first.isPlaceholderData && shown !== set) setShown(set)
  return { first, shown }
}

/** @param set must be the same object while its content is the same @param pages the visible pages */
export function useRows(object: string, set: RecordSet, pages: readonly number[]): Rows {
  const org = useOrg()
  const client = useQueryClient()
  const { first, shown } = useShownSet(object, set)
  const results = useQueries({
    queries: pages.map((page) => searchQuery(org, object, pageBody(shown, page))),
  })
  const listOf = useMemo(() => {
    // Scrolling looks up many rows, so the hash of a page's query key is computed only once.
    const hashes = new Map<number, string>()
    const hashOf = (page: number) => {
      const hash = hashes.get(page) ?? hashKey(searchQuery(org, object, pageBody(shown, page)).queryKey)
      hashes.set(page, hash)
      return hash
    }
    const cache = client.getQueryCache()
    return (page: number) => cache.get<RecordList>(hashOf(page))?.state.data
  }, [client, org, object, shown])
  const pageOf = (page: number) => listOf(page)?.records
  const { total, atLeast } = knownTotal(first.data, listOf)
  const failed = results.find(({ error }) => error !== null)
  return {
    total,
    atLeast,
    searched: first.data?.searched,
    at: (row) => pageOf(Math.floor(row / PAGE_SIZE))?.[row % PAGE_SIZE],
    load: async (first, last) => {
      const pages = pagesOf(first, last + 1, PAGE_SIZE)
      const lists = await Promise.all(
        pages.map((page) => client.ensureQueryData(searchQuery(org, object, pageBody(shown, page)))),
      )
      const from = (pages[0] ?? 0) * PAGE_SIZE
      return lists.flatMap(({ records }) => records).slice(first - from, last + 1 - from)
    },
    loadedPages: () =>
      pagesOf(0, total ?? 0, PAGE_SIZE).flatMap((page) => {
        const records = pageOf(page)
        return records ? [[page, records] as [number, CrmRecord[]]] : []
      }),
    updatedAt: Math.max(...results.map(({ dataUpdatedAt }) => dataUpdatedAt)),
    shown,
    isStale: first.isPlaceholderData,
    error: first.error ?? failed?.error ?? undefined,
    retry: () => void Promise.all([first.refetch(), failed?.refetch()]),
  }
}
