// How many rows a table has: what the service counted, or what the pages that came show, where counting takes too long.
import type { RecordList } from '../../../../contract/records.ts'
import { PAGE_SIZE } from '../view/search-body.ts'

type Listed = Pick<RecordList, 'pagination'> & { records: readonly unknown[] }

interface KnownTotal {
  /** Rows that the table has room for; undefined until the first page is there. */
  total: number | undefined
  /** Set where there are more than were loaded. */
  atLeast: number | undefined
}

/** @param listOf a page that was loaded, by its number */
export function knownTotal(
  first: Listed | undefined,
  listOf: (page: number) => Listed | undefined,
): KnownTotal {
  if (first === undefined) return { total: undefined, atLeast: undefined }
  if (first.pagination.total !== undefined) return { total: first.pagination.total, atLeast: undefined }
  let [page, list] = [0, first]
  while (list.pagination.nextCursor !== undefined) {
    const next = listOf(page + 1)
    // Room for a page that is not there yet: it is loaded when it comes into sight.
    if (!next) return { total: (page + 2) * PAGE_SIZE, atLeast: (page + 1) * PAGE_SIZE }
    page += 1
    list = next
  }
  return { total: page * PAGE_SIZE + list.records.length, atLeast: undefined }
}
