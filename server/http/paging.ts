// Paging of all lists: reads the parameters of a request, and makes the pagination of the response.
import sql, { empty, type Sql } from 'sql-template-tag'
import type { Pagination } from '../../contract/common.ts'
import { PAGE_LIMIT_DEFAULT } from '../../contract/limits.ts'
import type { PageParams } from '../../contract/paging.ts'
import { invalid } from '../base/errors.ts'
import { type CursorPosition, decodeCursor, encodeCursor, type PositionForm, sealOf } from './cursor.ts'

/** Which rows of a list are read. */
export interface PageSpan {
  limit: number
  offset: number
  /** Whether the total is requested. */
  count: boolean
  /** Where the previous page ended; undefined: the page begins at the offset. */
  position: CursorPosition | undefined
}

/** A request for a page of a list whose rows have a total order. */
export interface AskedPage extends PageSpan {
  /** The hash of the list, which binds its cursors to it. */
  seal: string
}

interface ListForm extends Partial<PositionForm> {
  seal: string
  /** The number of rows if the request does not set it. */
  limit?: number
}

/** The paging parameters of every list. */
export type ListParams = { [Name in keyof PageParams]?: PageParams[Name] | undefined }

const isNoKey = (key: unknown): key is null => key === null

/** A cursor and an offset would conflict: both set where the page begins. @throws 400 invalid_parameter */
function refuseOffsetWith(cursor: string | undefined, offset: number): void {
  if (cursor === undefined || offset === 0) return
  throw invalid('invalid_parameter', [
    {
      path: 'offset',
      code: 'offset_with_cursor',
      message: 'cannot be combined with cursor: leave one of them out',
    },
  ])
}

/** The list is in the order of ids, unless the form has keys. @throws 400 invalid_parameter */
export function askedPage(params: ListParams, form: ListForm): AskedPage {
  const { seal, isKey = isNoKey, isId, limit: fallback = PAGE_LIMIT_DEFAULT } = form
  const { limit = fallback, offset = 0, cursor, count = true } = params
  refuseOffsetWith(cursor, offset)
  const position =
    cursor === undefined ? undefined : decodeCursor(cursor, seal, { isKey, ...(isId && { isId }) })
  return { seal, limit, offset, count, position }
}

/** The end of a statement that reads a page in descending order of ids, and one more row if another page follows. */
export const newestFirst = (id: Sql, { position, limit, offset }: PageSpan): Sql => sql`
  ${position ? sql`and ${id} < ${position.id}::uuid` : empty} order by ${id} desc limit ${limit + 1} offset ${offset}`

interface Read {
  /** The number of rows on the page. */
  shown: number
  /** The number of rows in the whole list; undefined: not requested. */
  total: number | undefined
  /** The position of the page's last row; undefined on the last page. */
  next: CursorPosition | undefined
}

/** A page before the last one may be shorter than requested: its `limit` is the number of its rows. */
export const paginationOf = (
  { seal, limit, offset }: AskedPage,
  { shown, total, next }: Read,
): Pagination => ({
  ...(total !== undefined && { total }),
  limit: next ? shown : limit,
  offset,
  ...(next && { nextCursor: encodeCursor(seal, next) }),
})

interface Page<Row> {
  rows: Row[]
  pagination: Pagination
}

interface Rows<Row> {
  /** The rows of the page, and one more row if another page follows. */
  found: readonly Row[]
  total: number | undefined
  /** Whether rows of the page were left out because of their size. */
  isCut?: boolean
  /** Default: the id of the row. */
  positionOf?: (row: Row) => CursorPosition
}

const positionById = ({ id }: { id: string }): CursorPosition => ({ key: null, id })

export function pageOf<Row extends { id: string }>(
  asked: AskedPage,
  { found, total, isCut = false, positionOf = positionById }: Rows<Row>,
): Page<Row> {
  const rows = found.slice(0, asked.limit)
  const last = isCut || found.length > asked.limit ? rows.at(-1) : undefined
  return {
    rows,
    pagination: paginationOf(asked, { shown: rows.length, total, next: last && positionOf(last) }),
  }
}

const isText = (id: unknown): id is string => typeof id === 'string'
const isPlace = (key: unknown): key is string => typeof key === 'string' && /^\d{1,9}$/.test(key)

/** The index after the last row of a page. If that row was deleted, its former index. */
function placeAfter(all: readonly { id: string }[], { key, id }: CursorPosition): number {
  const place = all.findIndex((row) => row.id === id)
  return place === -1 ? Number(key) : place + 1
}

/**
 * A page of a short list that is read whole.
 * @param field of the answer, for the rows @param list what identifies the list @throws 400 invalid_parameter
 */
export function pageOfWhole<Field extends string, Row extends { id: string }>(
  field: Field,
  all: readonly Row[],
  params: ListParams,
  list: unknown,
): Record<Field, Row[]> & Pick<Page<Row>, 'pagination'> {
  const form = { seal: sealOf(list), isKey: isPlace, isId: isText, limit: Math.max(1, all.length) }
  const asked = askedPage(params, form)
  const start = asked.position ? placeAfter(all, asked.position) : asked.offset
  const { rows, pagination } = pageOf(asked, {
    found: all.slice(start, start + asked.limit + 1),
    total: asked.count ? all.length : undefined,
    positionOf: ({ id }) => ({ key: String(start + asked.limit - 1), id }),
  })
  return { [field]: rows, pagination } as Record<Field, Row[]> & Pick<Page<Row>, 'pagination'>
}
