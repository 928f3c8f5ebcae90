// Undoes changes of comments or attachments one by one. A change that cannot be undone becomes a conflict.
import type { UndoJobConflictCode } from '../../../contract/undo-jobs.ts'
import { AppError } from '../../base/errors.ts'

export interface WholeOrField<Change> {
  change: Change
  /** The field that keeps its value; null for the whole comment or attachment. */
  slug: string | null
  code: UndoJobConflictCode
  other: null
}

export interface UndoneEach<Change> {
  count: number
  conflicts: WholeOrField<Change>[]
}

/** The result of one change: undone, nothing to undo, or the reason why it cannot be undone. */
export type Outcome = 'undone' | 'nothing' | UndoJobConflictCode

interface Subject {
  /** The field whose later changes are kept. */
  field: string
  /** The conflicts for errors of refused writes. */
  refusals: Readonly<Record<string, UndoJobConflictCode>>
}

const unlessRefused = ({ refusals }: Subject, work: () => Promise<Outcome>): Promise<Outcome> =>
  work().catch((error: unknown) => {
    const code = error instanceof AppError ? refusals[error.code] : undefined
    if (code === undefined) throw error
    return code
  })

export async function undoEach<Change>(
  subject: Subject,
  changes: readonly Change[],
  undo: (change: Change) => Promise<Outcome>,
): Promise<UndoneEach<Change>> {
  const undone: UndoneEach<Change> = { count: 0, conflicts: [] }
  for (const change of changes) {
    const outcome = await unlessRefused(subject, () => undo(change))
    if (outcome === 'undone') undone.count += 1
    else if (outcome !== 'nothing') {
      const slug = outcome === 'value_changed' ? subject.field : null
      undone.conflicts.push({ change, slug, code: outcome, other: null })
    }
  }
  return undone
}
