// The board is loaded when one is first shown.
import { type ComponentType, lazy, Suspense } from 'react'
import type { ObjectWithAttributes } from '../../../contract/objects.ts'
import { filterTreeOf } from './search-body.ts'
import type { ShownView } from './use-view.ts'
import type { FilterTree, ViewState } from './view-state.ts'

interface BoardProps {
  objectWithAttributes: ObjectWithAttributes
  view: ViewState
  /** Filter and quick search together. */
  filterTree: FilterTree | null
  onChangeView(patch: Partial<ViewState>): void
}

const load = import.meta.glob<{ Board: ComponentType<BoardProps> }>('./board/board.tsx')

const Board = lazy(async (): Promise<{ default: ComponentType<BoardProps> }> => {
  const board = await load['./board/board.tsx']?.()
  return { default: board?.Board ?? (() => null) }
})

export function BoardView({ object, view }: { object: ObjectWithAttributes; view: ShownView }) {
  return (
    <Suspense>
      <Board
        objectWithAttributes={object}
        view={view.state}
        filterTree={filterTreeOf(object.attributes, view.state)}
        onChangeView={view.change}
      />
    </Suspense>
  )
}
