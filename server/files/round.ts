// A round of work on many files, of which one that fails keeps no other.
import type { Context } from '../context.ts'
import type { FileRow } from './store.ts'

export interface Round {
  /** Ids of those whose work failed: for the next batch to leave out. */
  readonly failed: readonly string[]
  /** @returns how many files there were @throws what the first failed with, when a full batch did */
  each(files: readonly FileRow[], work: (file: FileRow) => Promise<unknown>): Promise<number>
  /** @throws what the first failed with, so that the failure is seen where jobs are watched */
  end(): void
}

/** Files of one batch. */
export const BATCH = 200

export function beginRound({ log }: Pick<Context, 'log'>, signal: AbortSignal): Round {
  const failed: string[] = []
  const failures: unknown[] = []
  const attempt = async (file: FileRow, work: (file: FileRow) => Promise<unknown>) => {
    signal.throwIfAborted()
    try {
      await work(file)
    } catch (err) {
      log.error(
        { err, file: file.id, key: file.key },
        'the work on a file failed: the next round tries again',
      )
      failed.push(file.id)
      failures.push(err)
    }
  }
  return {
    failed,
    async each(files, work) {
      const before = failed.length
      for (const file of files) await attempt(file, work)
      // The store does nothing at all: asking it for the others too would only fill the log.
      if (failed.length - before === BATCH) throw failures[0]
      return files.length
    },
    end() {
      if (failures.length > 0) throw failures[0]
    },
  }
}
