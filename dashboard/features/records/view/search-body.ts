// The search requests of a view.
import type { SearchBody } from '../../../../contract/records.ts'
import type { AskedTree } from '../../../shared/filters/filter.ts'
import type { ViewState } from '../../../shared/filters/view-state.ts'

export const PAGE_SIZE = 100

/** Filter and quick search of the view as one tree. */
export function filterTreeOf({ filter, search }: Pick<ViewState, 'filter' | 'search'>): AskedTree | null {
  const q = search.trim()
  if (q === '') return filter
  return filter ? { and: [filter, { q }] } : { q }
}

/** The filter and order of records, without the page. */
export type RecordSet = Pick<SearchBody, 'filter' | 'sort'>

export function recordSetOf(state: ViewState): RecordSet {
  const filter = filterTreeOf(state)
  return { ...(filter && { filter }), ...(state.sort.length > 0 && { sort: [...state.sort] }) }
}

/** Whether the tree contains a text search. Such a search has a time limit, and may then miss matches. */
const hasText = (tree: AskedTree | undefined): boolean =>
  tree !== undefined && ('q' in tree || ('and' in tree && tree.and.some(hasText)))

/** @param page number from 0; only the first page requests the total count */
export const pageBody = (set: RecordSet, page: number): SearchBody => ({
  ...set,
  ...(hasText(set.filter as AskedTree | undefined) && { isQuick: true }),
  limit: PAGE_SIZE,
  offset: page * PAGE_SIZE,
  count: page === 0,
})
