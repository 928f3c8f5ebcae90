import { useQueryClient } from '@tanstack/react-query'
import type { SetConflict } from '../../../contract/undo.ts'
import { later } from '../../ui/later.tsx'
import { useAsk } from '../records/conflict-questions.tsx'
import { offerSetUndo } from './offer-set-undo.ts'
import type { OfObject, RestoredSet } from './set-conflicts.tsx'

const SetConflictsDialog = later(async () => (await import('./set-conflicts.tsx')).SetConflictsDialog)

/**
 * Shows the values that an undone change set did not restore, then the chosen values that still could not be restored.
 */
export function useSetConflicts(): (of: OfObject, conflicts: readonly SetConflict[]) => void {
  const ask = useAsk()
  const client = useQueryClient()
  const show = (of: OfObject, conflicts: readonly SetConflict[]): void => {
    if (conflicts.length === 0) return
    const close = (decide: (choice: 'theirs') => void) => (left: readonly SetConflict[]) => {
      decide('theirs')
      show(of, left)
    }
    const onRestored = (set: RestoredSet) => offerSetUndo({ client, showConflicts: show }, { ...of, ...set })
    void ask((decide) => (
      <SetConflictsDialog {...of} {...{ conflicts, onRestored }} onClose={close(decide)} />
    ))
  }
  return show
}
