import type { RestoredBackup } from '../server/operations/backup/restore.ts'

/** Whether the requested time was reached, with all its files. */
export const isComplete = ({ gaps, files }: RestoredBackup): boolean =>
  gaps.length === 0 && files.missingCount === 0

function fileLines({ missing, missingCount, lateCount }: RestoredBackup['files']): string[] {
  if (missingCount === 0) return []
  const late = lateCount === 0 ? '' : ` (${lateCount} arrived after the last pass of the archiver)`
  return [`${missingCount} files are missing or damaged in the backup${late}, such as ${missing[0]}.`]
}

/** The result of a restore, for people. */
export function restoreLines(restored: RestoredBackup): string[] {
  const { backup, dataDir, lastCommitAt, gaps, until, logProblem, keyGaps, files } = restored
  const commit = lastCommitAt === null ? 'no later transaction' : `the last transaction is of ${lastCommitAt}`
  const isLater = gaps.length === 0 && logProblem !== null
  return [
    `Restored ${backup} into ${dataDir}: ${commit}, ${files.restored} files.`,
    ...gaps.map((gap) => `Gap: ${gap}.`),
    ...(gaps.length === 0 ? [] : [`Nothing later than ${until} could be restored from this backup.`]),
    ...(isLater ? [`After the wanted time the log has a gap: ${logProblem}.`] : []),
    ...(keyGaps.length === 0 ? [] : [`Key files are missing or of a later time: ${keyGaps.join('; ')}.`]),
    ...fileLines(files),
  ]
}
