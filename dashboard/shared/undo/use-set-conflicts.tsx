import type { SetConflict } from '../../../contract/undo.ts'
import { later } from '../../ui/later.tsx'
import { useAsk } from '../records/conflict-questions.tsx'
import type { OfObject } from './set-conflicts.tsx'

const SetConflictsDialog = later(async () => (await import('./set-conflicts.tsx')).SetConflictsDialog)

/** Shows what an undone change set did not restore, on top of the open page. */
export function useSetConflicts(): (of: OfObject, conflicts: readonly SetConflict[]) => void {
  const ask = useAsk()
  return (of, conflicts) => {
    if (conflicts.length === 0) return
    void ask((decide) => (
      <SetConflictsDialog {...of} conflicts={conflicts} onClose={() => decide('theirs')} />
    ))
  }
}
