// Output of commands about undone changes.
import type { UndoJobConflict } from '../contract/undo-jobs.ts'

/** The undone changes, and the changes that stay. */
export interface Undone {
  restored: number
  trashed: number
  returned: number
  /** Ids of created records that stay. */
  keptIds: readonly string[]
  conflicts: readonly Pick<UndoJobConflict, 'recordId' | 'version' | 'message'>[]
  /** If more than 0, the command must be repeated. */
  batchesLeft: number
}

/** Comments and losses have no versions. */
const versionText = ({ version }: Undone['conflicts'][number]) => (version === 0 ? '' : ` (${version})`)

export const undoneLines = ({ restored, trashed, returned, keptIds, conflicts }: Undone): string[] => [
  `${restored} have their earlier values, ${trashed} that were created are in the trash, ${returned} that were deleted are back.`,
  ...(keptIds.length === 0 ? [] : [`Created, and stay: ${keptIds.join(' ')}`]),
  ...conflicts.map((one) => `Not restored of ${one.recordId}${versionText(one)}: ${one.message}`),
]

/** @param unit the plural noun of what is left */
export const leftLines = ({ batchesLeft }: Undone, unit: string): string[] =>
  batchesLeft > 0 ? [`${batchesLeft} ${unit} are left: give the command again`] : []

/** Sets exit code 1 if some changes are not undone. */
export function setExitCode({ batchesLeft, keptIds, conflicts }: Undone): void {
  if (batchesLeft > 0 || keptIds.length > 0 || conflicts.length > 0) process.exitCode ??= 1
}
