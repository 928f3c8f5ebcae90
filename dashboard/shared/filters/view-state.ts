// The view of an object's records, and its form in the address. The address contains what differs from the saved view
// that it names, or from the plain table. So a link shows the same view to all users.
import { SORTS_MAX } from '../../../contract/limits.ts'
import { SORT_FIELD_PATTERN } from '../../../contract/sort-field.ts'
import { SUMMARIES, type SummaryKind } from '../../../contract/summary-kinds.ts'
import type { FilterTree } from './filter.ts'
import { filterFromUrl, filterToUrl } from './url-filter.ts'

export interface Column {
  /** Slug of an attribute, or created_at or updated_at. */
  slug: string
  width?: number
  isHidden?: boolean
  /** The summary at the foot of the column. */
  summary?: SummaryKind
}

export interface Sort {
  field: string
  order: 'asc' | 'desc'
}

export const ROW_HEIGHTS = { compact: 32, default: 36, comfortable: 44 } as const
export type RowHeight = keyof typeof ROW_HEIGHTS

export interface Board {
  /** Slug of the attribute whose values are the columns. */
  groupBy: string
  /** Slug of the currency or number attribute whose sums are in the column heads. */
  sumOf?: string
}

export interface ViewState {
  kind: 'table' | 'board'
  /** In display order. Empty: all attributes, in the order of the object. */
  columns: readonly Column[]
  filter: FilterTree | null
  /**
   * The first field sorts all records. Each further field sorts records that are equal so far. Empty: the order of
   * creation.
   */
  sort: readonly Sort[]
  /** Search text for all text-like attributes. */
  search: string
  rowHeight: RowHeight
  board: Board | null
}

/** The plain table: the view of every object without a saved view. */
export const PLAIN: ViewState = {
  kind: 'table',
  columns: [],
  filter: null,
  sort: [],
  search: '',
  rowHeight: 'default',
  board: null,
}

/** The address form of a view state: only the differences, in short forms. */
export interface ViewSearch {
  kind?: ViewState['kind']
  /** `name:240,-domain,amount:140:sum`: width and summary after colons, a minus before a hidden column. */
  columns?: string
  /**
   * A condition as `[slug, operator, value]`, or `{and|or: […]}` of conditions. null for no filter, false for an
   * invalid one.
   */
  filter?: unknown
  /** `name`, or `-name` for descending. Several as `stage,-amount`. Empty for no sort. */
  sort?: string
  q?: string
  rows?: RowHeight
  /** `stage` or `stage:value`. Empty for no board. */
  board?: string
}

const SLUG = /^[a-z][a-z0-9_]{0,62}$/
const SEARCH_MAX = 200
const COLUMNS_MAX = 202
export const WIDTH_MIN = 64
export const WIDTH_MAX = 800

const isSlug = (text: string) => SLUG.test(text)
const SORT_FIELD = new RegExp(SORT_FIELD_PATTERN)
export const clampWidth = (width: number): number =>
  Math.round(Math.min(WIDTH_MAX, Math.max(WIDTH_MIN, width)))

const columnToUrl = ({ slug, width, isHidden, summary }: Column) =>
  `${isHidden ? '-' : ''}${[slug, width ?? '', summary ?? ''].join(':').replace(/:+$/, '')}`

const isSummary = (text: string | undefined): text is SummaryKind =>
  (SUMMARIES as readonly (string | undefined)[]).includes(text)

function columnFromUrl(text: string): Column | undefined {
  const isHidden = text.startsWith('-')
  const [slug = '', width, summary] = text.slice(isHidden ? 1 : 0).split(':')
  if (!isSlug(slug)) return undefined
  return {
    slug,
    ...(width !== undefined && /^\d{1,4}$/.test(width) && { width: clampWidth(Number(width)) }),
    ...(isHidden && { isHidden }),
    ...(isSummary(summary) && { summary }),
  }
}

function columnsFromUrl(text: string): Column[] {
  const columns = new Map<string, Column>()
  for (const part of text.split(',')) {
    const column = columnFromUrl(part)
    if (column && !columns.has(column.slug)) columns.set(column.slug, column)
  }
  return [...columns.values()].slice(0, COLUMNS_MAX)
}

const sortToUrl = (sort: readonly Sort[]) =>
  sort.map(({ field, order }) => `${order === 'desc' ? '-' : ''}${field}`).join(',')

function sortFromUrl(text: string): Sort[] {
  const sorts = new Map<string, Sort>()
  for (const part of text.split(',')) {
    const field = part.replace(/^-/, '')
    if (SORT_FIELD.test(field) && !sorts.has(field))
      sorts.set(field, { field, order: part === field ? 'asc' : 'desc' })
  }
  return [...sorts.values()].slice(0, SORTS_MAX)
}

/** Whether a sort is by the attribute, or by a part of its values, such as `name.lastName`. */
export const isSortOf = ({ field }: Sort, slug: string): boolean => field.split('.', 1)[0] === slug

/** Adds an attribute as the last one to sort by. It replaces the first sort by it or by its parts, and the others. */
export function sortedBy(sort: readonly Sort[], added: Sort): Sort[] {
  const at = sort.findIndex((one) => isSortOf(one, added.field))
  if (at === -1) return [...sort, added]
  const others = (some: readonly Sort[]) => some.filter((one) => !isSortOf(one, added.field))
  return [...others(sort.slice(0, at)), added, ...others(sort.slice(at))]
}

const boardToUrl = (board: Board | null) =>
  board ? [board.groupBy, board.sumOf].filter(Boolean).join(':') : ''

function boardFromUrl(text: string): Board | null {
  const [groupBy = '', sumOf = ''] = text.split(':')
  return isSlug(groupBy) ? { groupBy, ...(isSlug(sumOf) && { sumOf }) } : null
}

/** The full state, for links that must not depend on a view that other users may not see. */
export const fullSearch = (state: ViewState): Required<ViewSearch> => ({
  kind: state.kind,
  columns: state.columns.map(columnToUrl).join(','),
  filter: filterToUrl(state.filter),
  sort: sortToUrl(state.sort),
  q: state.search,
  rows: state.rowHeight,
  board: boardToUrl(state.board),
})

/** The differences from the base of the address. */
export function searchOf(base: ViewState, state: ViewState): ViewSearch {
  const from = fullSearch(base)
  const differs = ([key, value]: [string, unknown]) =>
    JSON.stringify(value) !== JSON.stringify(from[key as keyof ViewSearch])
  return Object.fromEntries(Object.entries(fullSearch(state)).filter(differs))
}

/** @param base the saved view that the address names, or the plain table */
export function stateOf(base: ViewState, search: ViewSearch): ViewState {
  const { kind, columns, filter, sort, q, rows, board } = search
  return {
    kind: kind ?? base.kind,
    columns: columns === undefined ? base.columns : columnsFromUrl(columns),
    filter: filter === undefined ? base.filter : filterFromUrl(filter),
    sort: sort === undefined ? base.sort : sortFromUrl(sort),
    search: q ?? base.search,
    rowHeight: rows ?? base.rowHeight,
    board: board === undefined ? base.board : boardFromUrl(board),
  }
}

const isKind = (value: unknown): value is ViewState['kind'] => value === 'table' || value === 'board'
const isRowHeight = (value: unknown): value is RowHeight =>
  typeof value === 'string' && Object.hasOwn(ROW_HEIGHTS, value)
/** The router parses a text that looks like a number as a number. */
const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : undefined

/** The filter in the address; false if it is invalid. */
const validFilter = (value: unknown): unknown =>
  value === null ? null : (filterToUrl(filterFromUrl(value)) ?? false)

/** The valid view parameters of an address. Other parameters and invalid values are ignored. */
export function validViewSearch(search: Record<string, unknown>): ViewSearch {
  const [columns, sort, q, board] = ['columns', 'sort', 'q', 'board'].map((key) => textOf(search[key]))
  return {
    ...(isKind(search['kind']) && { kind: search['kind'] }),
    ...(columns !== undefined && { columns: columnsFromUrl(columns).map(columnToUrl).join(',') }),
    ...(search['filter'] !== undefined && { filter: validFilter(search['filter']) }),
    ...(sort !== undefined && { sort: sortToUrl(sortFromUrl(sort)) }),
    ...(q !== undefined && { q: q.slice(0, SEARCH_MAX) }),
    ...(isRowHeight(search['rows']) && { rows: search['rows'] }),
    ...(board !== undefined && { board: boardToUrl(boardFromUrl(board)) }),
  }
}
