// A round of work on many files, of which one that fails keeps no other.
import type { Logger } from 'pino'
import type { FileRow } from './store.ts'

export interface Round {
  /** Ids of those whose work failed: for the next batch to leave out. */
  readonly failed: readonly string[]
  /** @returns how many files there were; none when many failed one after the other, since then the store does not work */
  each(files: readonly FileRow[], work: (file: FileRow) => Promise<unknown>): Promise<number>
  /** @throws what the first failed with, so that the failure is seen where jobs are watched */
  end(): void
}

/** Asking a store that does nothing at all for the others too would only take time, and fill the log. */
const IN_A_ROW_MAX = 10

export function beginRound({ log }: { log: Logger }, signal: AbortSignal): Round {
  const failed: string[] = []
  const failures: unknown[] = []
  const attempt = async (file: FileRow, work: (file: FileRow) => Promise<unknown>) => {
    signal.throwIfAborted()
    try {
      await work(file)
      return true
    } catch (err) {
      log.error(
        { err, file: file.id, key: file.key },
        'the maintenance of a file failed and will be tried again',
      )
      failed.push(file.id)
      failures.push(err)
      return false
    }
  }
  return {
    failed,
    async each(files, work) {
      let inARow = 0
      for (const file of files) {
        inARow = (await attempt(file, work)) ? 0 : inARow + 1
        if (inARow === IN_A_ROW_MAX) return 0
      }
      return files.length
    },
    end() {
      if (failures.length > 0) throw failures[0]
    },
  }
}
