// Converts between a saved view and the view state of the page.
import type { ViewState as SavedState, View } from '../../../../contract/views.ts'
import type { Attribute } from '../../../shared/api/objects.ts'
import { filterFromUrl } from '../../../shared/filters/url-filter.ts'
import { PLAIN, searchOf, type ViewState } from '../../../shared/filters/view-state.ts'
import { defaultBoard } from '../groupable.ts'

export const stateOfSaved = ({ kind, state }: Pick<View, 'kind' | 'state'>): ViewState => ({
  kind,
  columns: state.columns,
  filter: filterFromUrl(state.filter),
  sort: state.sort ? [state.sort, ...(state.thenBy ?? [])] : [],
  search: state.search ?? PLAIN.search,
  rowHeight: state.rowHeight ?? PLAIN.rowHeight,
  board: state.board ?? null,
})

/** @param attributes of the object: a board is saved with its column attribute, even if the address omits it */
export function savedOfState(
  state: ViewState,
  attributes: readonly Attribute[],
): Pick<View, 'kind'> & { state: SavedState } {
  const { kind, columns, filter, sort, search, rowHeight } = state
  const [first, ...thenBy] = sort
  const board = state.board ?? (kind === 'board' ? defaultBoard(attributes) : null)
  return {
    kind,
    state: {
      version: 1,
      columns: [...columns],
      ...(filter && { filter }),
      ...(first && { sort: first }),
      ...(thenBy.length > 0 && { thenBy }),
      ...(search !== '' && { search }),
      rowHeight,
      ...(board && { board }),
    },
  }
}

/**
 * Whether the state differs from the saved view. Switching between table and board is not a change, and neither is a
 * board with the default columns.
 */
export function isChanged(base: ViewState, state: ViewState, attributes: readonly Attribute[]): boolean {
  const standard = defaultBoard(attributes)
  const from = { ...base, kind: state.kind, board: base.board ?? standard }
  return Object.keys(searchOf(from, { ...state, board: state.board ?? standard })).length > 0
}
