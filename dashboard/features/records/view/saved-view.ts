// A view as the service keeps it, and as the page shows it.
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

/** @param attributes of the object: a board is saved with its columns, also where the address does not name them */
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
 * Looking at the records as a board, or as a table again, is no change of the view, and a board with the columns that it
 * has anyway is none either.
 */
export function isChanged(base: ViewState, state: ViewState, attributes: readonly Attribute[]): boolean {
  const standard = defaultBoard(attributes)
  const from = { ...base, kind: state.kind, board: base.board ?? standard }
  return Object.keys(searchOf(from, { ...state, board: state.board ?? standard })).length > 0
}
