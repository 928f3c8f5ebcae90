// Remembers in this browser whether the records of an object were last shown as a table or a board. Not used for saved
// views, which store a layout, and for addresses with more parameters than the object.
import type { ViewState } from '../../shared/filters/view-state.ts'
import { OWN_RECORDS, type PageSearch } from './page-search.ts'

const keyOf = (org: string) => `rapport-boards:${org}`

/** Slugs of the objects that are shown as a board. */
function boardsOf(org: string): string[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(keyOf(org)) ?? '[]')
    return Array.isArray(found) ? found.filter((one) => typeof one === 'string') : []
  } catch {
    // Storage is disabled, or its content is invalid.
    return []
  }
}

export function rememberLayout(org: string, object: string, kind: ViewState['kind']): void {
  const others = boardsOf(org).filter((slug) => slug !== object)
  try {
    localStorage.setItem(keyOf(org), JSON.stringify(kind === 'board' ? [...others, object] : others))
  } catch {
    // Storage is disabled: the object opens as a table next time.
  }
}

/** Whether an address that names only an object, or the user's own records of it, opens as a board. */
export function opensAsBoard(org: string, object: string, search: PageSearch): boolean {
  const { view, create: _, peek: __, ...state } = search
  if ((view !== undefined && view !== OWN_RECORDS) || Object.keys(state).length > 0) return false
  return boardsOf(org).includes(object)
}
