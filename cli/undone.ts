// What commands print of changes that were undone.
import type { UndoJobConflict } from '../contract/undo-jobs.ts'

/** What was undone, and what stays. */
export interface Undone {
  restored: number
  trashed: number
  returned: number
  /** Ids of what was created, and stays. */
  keptIds: readonly string[]
  conflicts: readonly Pick<UndoJobConflict, 'recordId' | 'version' | 'message'>[]
  /** More than 0: give the command again. */
  batchesLeft: number
}

/** Comments have no versions. */
const versionText = ({ version }: Undone['conflicts'][number]) => (version === 0 ? '' : ` (${version})`)

export const undoneLines = ({ restored, trashed, returned, keptIds, conflicts }: Undone): string[] => [
  `${restored} have their earlier values, ${trashed} that were created are in the trash, ${returned} that were deleted are back.`,
  ...(keptIds.length === 0 ? [] : [`Created, and stay: ${keptIds.join(' ')}`]),
  ...conflicts.map((one) => `Not restored of ${one.recordId}${versionText(one)}: ${one.message}`),
]

/** @param unit of what is left, in the plural */
export const leftLines = ({ batchesLeft }: Undone, unit: string): string[] =>
  batchesLeft > 0 ? [`${batchesLeft} ${unit} are left: give the command again`] : []

/** Sets the exit code 1 where something stays as it was. */
export function setExitCode({ batchesLeft, keptIds, conflicts }: Undone): void {
  if (batchesLeft > 0 || keptIds.length > 0 || conflicts.length > 0) process.exitCode ??= 1
}
