// Whether the records of an object were last seen as a table or as a board, in this browser. Saved views have a layout of
// their own, and addresses that say more than the object are followed as they are.
import type { ViewState } from '../../shared/filters/view-state.ts'
import { OWN_RECORDS, type PageSearch } from './page-search.ts'

const keyOf = (org: string) => `rapport-boards:${org}`

/** Slugs of the objects that are shown as a board. */
function boardsOf(org: string): string[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(keyOf(org)) ?? '[]')
    return Array.isArray(found) ? found.filter((one) => typeof one === 'string') : []
  } catch {
    // Storage is off, or something else wrote there.
    return []
  }
}

export function rememberLayout(org: string, object: string, kind: ViewState['kind']): void {
  const others = boardsOf(org).filter((slug) => slug !== object)
  try {
    localStorage.setItem(keyOf(org), JSON.stringify(kind === 'board' ? [...others, object] : others))
  } catch {
    // Storage is off: the object opens as a table next time.
  }
}

/** What an address that names no more than an object, or the records of its reader, leaves open. */
export function opensAsBoard(org: string, object: string, search: PageSearch): boolean {
  const { view, create: _, peek: __, ...state } = search
  if ((view !== undefined && view !== OWN_RECORDS) || Object.keys(state).length > 0) return false
  return boardsOf(org).includes(object)
}
