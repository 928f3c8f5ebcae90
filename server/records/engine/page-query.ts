// The input and the result of reading a page of records.
import type { RecordFilter } from '../filters/to-sql.ts'
import type { CursorPosition, Sort } from '../rows/sorting.ts'
import type { StoredRecord } from '../rows/stored-record.ts'

export interface PageQuery {
  filters: readonly RecordFilter[]
  sort: Sort
  position: CursorPosition | undefined
  limit: number
  offset: number
  count: boolean
  /** The caller reads only the ids: data may be empty. */
  idsOnly?: boolean
}

export interface Page {
  records: StoredRecord[]
  total: number | undefined
  /** Where the next page begins; undefined on the last page. */
  next: CursorPosition | undefined
}
