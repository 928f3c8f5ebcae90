// How the records of an object are shown, and its form in the address: what differs from the saved view the address
// names, or from the plain table. So a link shows the same thing to everybody.
import { SORTS_MAX } from '../../../contract/limits.ts'
import { SUMMARIES, type SummaryKind } from '../../../contract/summary-kinds.ts'
import type { FilterTree } from './filter.ts'
import { filterFromUrl, filterToUrl } from './url-filter.ts'

export interface Column {
  /** Of an attribute, or created_at or updated_at. */
  slug: string
  width?: number
  isHidden?: boolean
  /** At its foot. */
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
  /** Slug of a currency or number attribute that the heads add up. */
  sumOf?: string
}

export interface ViewState {
  kind: 'table' | 'board'
  /** In order; none named: every attribute, in the order of the object. */
  columns: readonly Column[]
  filter: FilterTree | null
  /** The first orders all, each other one those that are equal by the ones before it; none: as they were created. */
  sort: readonly Sort[]
  /** Text looked for in every text-like attribute. */
  search: string
  rowHeight: RowHeight
  board: Board | null
}

/** The plain table: where every object begins. */
export const PLAIN: ViewState = {
  kind: 'table',
  columns: [],
  filter: null,
  sort: [],
  search: '',
  rowHeight: 'default',
  board: null,
}

/** The form of a view state in the address: only what differs, in short. */
export interface ViewSearch {
  kind?: ViewState['kind']
  /** `name:240,-domain,amount:140:sum`: width and summary after colons, a minus for what is hidden. */
  columns?: string
  /** A condition as `[slug, operator, value]`, or `{and|or: […]}` of such; null for none, false where it cannot be read. */
  filter?: unknown
  /** `name`, or `-name` for descending, several as `stage,-amount`; empty for none. */
  sort?: string
  q?: string
  rows?: RowHeight
  /** `stage` or `stage:value`; empty for none. */
  board?: string
}

const SLUG = /^[a-z][a-z0-9_]{0,62}$/
const SEARCH_MAX = 200
const COLUMNS_MAX = 202
export const WIDTH_MIN = 64
export const WIDTH_MAX = 800

const isSlug = (text: string) => SLUG.test(text)
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
    if (isSlug(field) && !sorts.has(field))
      sorts.set(field, { field, order: part === field ? 'asc' : 'desc' })
  }
  return [...sorts.values()].slice(0, SORTS_MAX)
}

/** The column gets this order after those that are sorted by already; where it is one of them, in its place. */
export const sortedBy = (sort: readonly Sort[], added: Sort): Sort[] =>
  sort.some(({ field }) => field === added.field)
    ? sort.map((one) => (one.field === added.field ? added : one))
    : [...sort, added]

const boardToUrl = (board: Board | null) =>
  board ? [board.groupBy, board.sumOf].filter(Boolean).join(':') : ''

function boardFromUrl(text: string): Board | null {
  const [groupBy = '', sumOf = ''] = text.split(':')
  return isSlug(groupBy) ? { groupBy, ...(isSlug(sumOf) && { sumOf }) } : null
}

/** Everything of the state, for links that must not depend on a view others may not see. */
export const fullSearch = (state: ViewState): Required<ViewSearch> => ({
  kind: state.kind,
  columns: state.columns.map(columnToUrl).join(','),
  filter: filterToUrl(state.filter),
  sort: sortToUrl(state.sort),
  q: state.search,
  rows: state.rowHeight,
  board: boardToUrl(state.board),
})

/** Only what differs from where the address begins. */
export function searchOf(base: ViewState, state: ViewState): ViewSearch {
  const from = fullSearch(base)
  const differs = ([key, value]: [string, unknown]) =>
    JSON.stringify(value) !== JSON.stringify(from[key as keyof ViewSearch])
  return Object.fromEntries(Object.entries(fullSearch(state)).filter(differs))
}

/** @param base the saved view the address names, or the plain table */
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
/** The router reads what looks like a number as one. */
const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : undefined

/** The filter of an address: false where it says one that cannot be read. */
const validFilter = (value: unknown): unknown =>
  value === null ? null : (filterToUrl(filterFromUrl(value)) ?? false)

/** What an address says about the view, ignoring everything else in it; what cannot be read is as if it were not there. */
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
