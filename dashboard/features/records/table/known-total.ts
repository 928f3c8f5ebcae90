// The number of rows of a table: the count of the service, or an estimate from loaded pages if counting takes too long.
import type { RecordList } from '../../../../contract/records.ts'
import { PAGE_SIZE } from '../view/search-body.ts'

type Listed = Pick<RecordList, 'pagination'> & { records: readonly unknown[] }

interface KnownTotal {
  /** Rows that the table has space for; undefined until the first page is loaded. */
  total: number | undefined
  /** Set if there are more rows than were loaded. */
  atLeast: number | undefined
}

/** @param listOf returns a loaded page by its number */
export function knownTotal(
  first: Listed | undefined,
  listOf: (page: number) => Listed | undefined,
): KnownTotal {
  if (first === undefined) return { total: undefined, atLeast: undefined }
  if (first.pagination.total !== undefined) return { total: first.pagination.total, atLeast: undefined }
  let [page, list] = [0, first]
  while (list.pagination.nextCursor !== undefined) {
    const next = listOf(page + 1)
    // Includes space for the next page, which is loaded when it becomes visible.
    if (!next) return { total: (page + 2) * PAGE_SIZE, atLeast: (page + 1) * PAGE_SIZE }
    page += 1
    list = next
  }
  return { total: page * PAGE_SIZE + list.records.length, atLeast: undefined }
}
