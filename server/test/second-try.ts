// A second run of each failed file, without others: a failure by chance passes, a defect fails twice.
import type { FileResult } from './report.ts'

export interface Run {
  files: readonly FileResult[]
  /** Failures that belong to no file. */
  others: readonly string[]
}

export interface Outcome {
  passed: number
  /** The failures in words. */
  failures: readonly string[]
}

/** If more files fail, the cause is not chance. */
export const SECOND_TRIES_MAX = 20

export const outcomeOf = ({ files, others }: Run): Outcome => ({
  passed: files.reduce((sum, { passed }) => sum + passed, 0),
  failures: [...files.flatMap(({ failures }) => failures), ...others],
})

/**
 * @param runFile runs one file
 * @returns the run with the results of the second tries that passed, and the paths of their files
 */
export async function withSecondTry(
  run: Run,
  runFile: (file: FileResult) => Promise<Run>,
): Promise<{ run: Run; passedLater: string[] }> {
  const failed = run.files.filter(({ failures }) => failures.length > 0)
  if (failed.length > SECOND_TRIES_MAX) return { run, passedLater: [] }
  const passed = new Map<string, FileResult>()
  for (const file of failed) {
    const again = await runFile(file)
    const [result] = again.files
    if (result?.failures.length === 0 && again.others.length === 0) passed.set(file.path, result)
  }
  const files = run.files.map((file) => passed.get(file.path) ?? file)
  return { run: { ...run, files }, passedLater: [...passed.keys()] }
}
