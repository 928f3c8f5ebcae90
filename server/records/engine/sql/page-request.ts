// The request of a page, and what the queries of all access paths share: scope, columns and order.
import sql, { empty, join, type Sql } from 'sql-template-tag'
import type { IndexedAttribute } from '../../../model/attributes/object-index.ts'
import type { RecordFilter } from '../../filters/to-sql.ts'
import type { CursorPosition, Sort } from '../../rows/sorting.ts'
import type { ObjectScope } from '../index/counter-changes.ts'
import { hasNumericKey } from '../index/index-keys.ts'
import type { PageOrder } from '../plan/access-paths.ts'

export interface PageRequest {
  owner: ObjectScope
  filters: readonly RecordFilter[]
  sort: Sort
  /** The attribute sorted by, where its index rows give the order. */
  sortedBy: IndexedAttribute | undefined
  /** The first of several attributes sorted by, where its index rows give its order. */
  firstSortedBy?: IndexedAttribute | undefined
  /** The source of the order of the rows. none: the rows are sorted. */
  order: PageOrder
  position: CursorPosition | undefined
  /** Rows of the page, and one more that shows whether another page follows. */
  rows: number
  offset: number
  /** The caller reads only the ids: data is left empty. */
  idsOnly?: boolean | undefined
}

/** @param sortedBy the attribute sorted by, or the first of several, where its index rows give the order */
export function orderOf({ key, field, keys }: Sort, sortedBy: IndexedAttribute | undefined): PageOrder {
  if (!key) return 'id'
  if (field === 'updated_at') return 'updated'
  if (!sortedBy) return 'none'
  return keys ? 'first_key' : 'key'
}

/** The rows of a page, and the beginning of their statement. */
export interface RowsQuery {
  before?: Sql
  rows: Sql
}

/** Further conditions of a `where`. */
export const and = (conditions: readonly Sql[]): Sql =>
  conditions.length === 0 ? empty : sql` and ${join(conditions, ' and ')}`

export const ofOwner = ({ org, obj }: ObjectScope): Sql => sql`r.org = ${org} and r.obj = ${obj}`

const keyOf = ({ sort }: PageRequest) => (sort.key ? sql`${sort.key.value}::text` : sql`null::text`)

const dataOf = ({ idsOnly }: PageRequest) => (idsOnly ? sql`'{}'::jsonb as data` : sql`r.data`)

export const pageColumns = (request: PageRequest, key = keyOf(request)) =>
  sql`r.id, r.updated_at, r.version, ${dataOf(request)}, ${key} as key`

export const direction = ({ sort }: PageRequest) => (sort.order === 'asc' ? sql`asc` : sql`desc`)
export const beyond = ({ sort }: PageRequest) => (sort.order === 'asc' ? sql`>` : sql`<`)

export const keyTable = (attribute: IndexedAttribute) =>
  hasNumericKey(attribute) ? sql`index_number` : sql`index_text`
