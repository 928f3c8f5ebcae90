// A view as the service keeps it, and as the page shows it.
import type { ViewState as SavedState, View } from '../../../../contract/views.ts'
import { filterFromUrl } from '../../../shared/filters/url-filter.ts'
import { PLAIN, type ViewState } from '../../../shared/filters/view-state.ts'

export const stateOfSaved = ({ kind, state }: Pick<View, 'kind' | 'state'>): ViewState => ({
  kind,
  columns: state.columns,
  filter: filterFromUrl(state.filter),
  sort: state.sort ?? null,
  search: state.search ?? PLAIN.search,
  rowHeight: state.rowHeight ?? PLAIN.rowHeight,
  board: state.board ?? null,
})

export function savedOfState(state: ViewState): Pick<View, 'kind'> & { state: SavedState } {
  const { kind, columns, filter, sort, search, rowHeight, board } = state
  return {
    kind,
    state: {
      version: 1,
      columns: [...columns],
      ...(filter && { filter }),
      ...(sort && { sort }),
      ...(search !== '' && { search }),
      rowHeight,
      ...(board && { board }),
    },
  }
}
