// What a view asks of the service.
import { FILTERS_MAX } from '../../../contract/limits.ts'
import { namingAttribute } from '../../../contract/record-name.ts'
import type { SearchBody } from '../../../contract/records.ts'
import type { Attribute } from '../../api/objects.ts'
import { countConditions } from '../../components/filters/filter-tree.ts'
import type { FilterTree, ViewState } from './view-state.ts'

export const PAGE_SIZE = 100

const LOOKED_IN = new Set<Attribute['type']>(['text', 'email', 'phone_number', 'name', 'address', 'select'])
const hasDigit = (text: string) => /\d/.test(text)

/** Attributes that a quick search looks in, the name first; phone numbers only for texts with digits. */
function lookedIn(attributes: readonly Attribute[], text: string): Attribute[] {
  const naming = namingAttribute(attributes)
  const all = attributes.filter(
    ({ type }) => LOOKED_IN.has(type) && (type !== 'phone_number' || hasDigit(text)),
  )
  return all.toSorted((a, b) => Number(b === naming) - Number(a === naming))
}

/** As many as the service takes beside the filter. */
function quickSearch(attributes: readonly Attribute[], text: string, room: number): FilterTree | null {
  const conditions = lookedIn(attributes, text)
    .slice(0, Math.max(1, room))
    .map(({ slug }) => ({ attributeSlug: slug, operator: 'contains' as const, value: text }))
  const [only] = conditions
  return conditions.length > 1 ? { or: conditions } : (only ?? null)
}

/** Filter and quick search of the view as one tree. */
export function filterTreeOf(
  attributes: readonly Attribute[],
  { filter, search }: Pick<ViewState, 'filter' | 'search'>,
): FilterTree | null {
  const text = search.trim()
  if (text === '') return filter
  const found = quickSearch(attributes, text, FILTERS_MAX - countConditions(filter))
  return filter && found ? { and: [filter, found] } : (found ?? filter)
}

/** Which records, in which order: without where the page begins. */
export type RecordSet = Pick<SearchBody, 'filter' | 'sort'>

export function recordSetOf(attributes: readonly Attribute[], state: ViewState): RecordSet {
  const filter = filterTreeOf(attributes, state)
  return { ...(filter && { filter }), ...(state.sort && { sort: state.sort }) }
}

/** The page's number begins at 0; only the first counts, which for all of them is one count. */
export const pageBody = (set: RecordSet, page: number): SearchBody => ({
  ...set,
  limit: PAGE_SIZE,
  offset: page * PAGE_SIZE,
  count: page === 0,
})
