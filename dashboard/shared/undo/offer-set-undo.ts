// Offers to undo a change set that this page wrote, and offers it again while a part of it is not undone.
import type { QueryClient } from '@tanstack/react-query'
import type { SetConflict } from '../../../contract/undo.ts'
import { hasCode } from '../api/errors.ts'
import type { OfObject } from './set-conflicts.tsx'
import { undoChangeSet } from './undo-set.ts'
import { pushUndo } from './undo-stack.ts'

interface WrittenSet extends OfObject {
  id: string
  /** The number of records that it wrote. */
  size: number
  /** Describes the changes: "18 deals changed". */
  label: string
}

interface Undoer {
  client: QueryClient
  showConflicts(of: OfObject, conflicts: readonly SetConflict[]): void
}

async function undoSet(undoer: Undoer, set: WrittenSet): Promise<string> {
  const { org, object } = set
  try {
    const { said, conflicts, isComplete } = await undoChangeSet(undoer.client, set)
    undoer.showConflicts({ org, object }, conflicts)
    if (!isComplete) offerSetUndo(undoer, set)
    return said
  } catch (error) {
    if (!hasCode(error, 'undo_expired')) offerSetUndo(undoer, set)
    throw error
  }
}

export function offerSetUndo(undoer: Undoer, set: WrittenSet): void {
  pushUndo({ label: set.label, undo: () => undoSet(undoer, set) })
}
