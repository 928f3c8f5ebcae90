// What a view asks of the service.
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

/** Which records, in which order: without where the page begins. */
export type RecordSet = Pick<SearchBody, 'filter' | 'sort'>

export function recordSetOf(state: ViewState): RecordSet {
  const filter = filterTreeOf(state)
  return { ...(filter && { filter }), ...(state.sort.length > 0 && { sort: [...state.sort] }) }
}

/** Whether free text is searched for: such a page comes in its time, if need be without all that match. */
const hasText = (tree: AskedTree | undefined): boolean =>
  tree !== undefined && ('q' in tree || ('and' in tree && tree.and.some(hasText)))

/** The page's number begins at 0; only the first counts, which for all of them is one count. */
export const pageBody = (set: RecordSet, page: number): SearchBody => ({
  ...set,
  ...(hasText(set.filter as AskedTree | undefined) && { isQuick: true }),
  limit: PAGE_SIZE,
  offset: page * PAGE_SIZE,
  count: page === 0,
})
