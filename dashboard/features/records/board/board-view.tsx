// Loads the code of the board when a board is first shown.
import { lazy, Suspense, useState } from 'react'
import type { ObjectWithAttributes } from '../../../../contract/objects.ts'
import type { RecordData } from '../../../shared/api/records.ts'
import { later } from '../../../ui/later.tsx'
import { PartPending } from '../../../ui/page-pending.tsx'
import { filterTreeOf } from '../view/search-body.ts'
import type { ShownView } from '../view/use-view.ts'

const CreatePanel = later(async () => (await import('../page/create-panel.tsx')).CreatePanel)
const Board = lazy(async () => ({ default: (await import('./board.tsx')).Board }))

export function BoardView({ object, view }: { object: ObjectWithAttributes; view: ShownView }) {
  /** Initial values of a record that is created in a column. */
  const [preset, setPreset] = useState<RecordData>()
  return (
    <Suspense fallback={<PartPending />}>
      <Board
        objectWithAttributes={object}
        view={view.state}
        filterTree={filterTreeOf(view.state)}
        onCreate={setPreset}
      />
      {preset && <CreatePanel object={object} preset={preset} onClose={() => setPreset(undefined)} />}
    </Suspense>
  )
}
