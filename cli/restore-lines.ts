import type { Restored } from '../server/backup/restore.ts'

/** What a person should know of a restore. */
export function restoreLines(restored: Restored): string[] {
  const { backup, dataDir, lastCommitAt, reached, archivedUntil, logProblem, keyGaps, files } = restored
  const commit = lastCommitAt === null ? 'no later transaction' : `the last transaction is of ${lastCommitAt}`
  return [
    `Restored ${backup} into ${dataDir}: ${commit}, ${files.restored} files.`,
    ...(reached
      ? []
      : [`The archive does not reach the wanted time: it ends at ${archivedUntil ?? 'an unknown time'}.`]),
    ...(logProblem === null ? [] : [`The log was restored up to its last complete record: ${logProblem}.`]),
    ...(keyGaps.length === 0 ? [] : [`Key files are missing: ${keyGaps.join('; ')}.`]),
    ...(files.missingCount === 0
      ? []
      : [`${files.missingCount} files are missing in the backup, such as ${files.missing[0]}.`]),
  ]
}
