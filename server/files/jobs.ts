// Background work on files: unused files, files of deleted organizations, files uploaded directly to the store.
import type { Logger } from 'pino'
import { inBatches } from '../jobs/jobs.ts'
import { confirmUpload, removeFile } from './confirm-upload.ts'
import type { FileContext } from './context.ts'
import {
  deleteOrphanedUsage,
  type FileRow,
  markChecked,
  selectOrphans,
  selectUnchecked,
  selectUnused,
} from './store.ts'

const BATCH = 200
const HOUR_MS = 3600_000
/** After the expiry of an address, which is valid for two hours: together a day after it was issued. */
const UNUSED_MS = 22 * HOUR_MS
const DRAFT_MS = 24 * HOUR_MS
/** Interval of the checks whether a requested file has reached the store, as long as an upload is possible. */
const CHECK_MS = 10 * 60_000

const before = (now: Date, ms: number): Date => new Date(now.getTime() - ms)

/** Registers a file that reached the store late, and removes all others. */
async function removeUnused(ctx: FileContext, file: FileRow): Promise<void> {
  const confirmed = ctx.files.kind === 's3' ? await confirmUpload(ctx, ctx.files, file) : undefined
  if (confirmed?.state !== 'stored') await removeFile(ctx, file)
}

interface Round {
  /** Ids of the files whose work failed: the next batch leaves them out. */
  readonly failed: readonly string[]
  /** @returns the number of files; 0 if IN_A_ROW_MAX failed in a row, because then the store does not work */
  each(files: readonly FileRow[], work: (file: FileRow) => Promise<unknown>): Promise<number>
  /** @throws the first error, so that the job fails visibly */
  end(): void
}

/** Failures in a row that end the work: trying the other files of a broken store would only fill the log. */
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

/**
 * Removes unused uploads, the drafts of interrupted uploads, and the files of deleted organizations.
 * @throws the error of the first file that failed, after the work on the others
 */
export async function sweepFiles(ctx: FileContext, signal: AbortSignal, now: Date): Promise<void> {
  const { db, files } = ctx
  const { failed, each, end } = beginRound(ctx, signal)
  await inBatches(signal, async () =>
    each(await selectOrphans(db, { failed, limit: BATCH }), (file) => removeFile(ctx, file)),
  )
  await deleteOrphanedUsage(db)
  const unused = { before: before(now, UNUSED_MS), failed, limit: BATCH }
  await inBatches(signal, async () => each(await selectUnused(db, unused), (file) => removeUnused(ctx, file)))
  if (files.kind === 'disk') await files.sweepDrafts(before(now, DRAFT_MS))
  end()
}

/**
 * Registers uploads that went directly to the store.
 * @throws the error of the first file that failed, after the work on the others
 */
export async function confirmUploads(ctx: FileContext, signal: AbortSignal): Promise<void> {
  const { db, files } = ctx
  if (files.kind !== 's3') return
  const now = ctx.clock.now()
  const { failed, each, end } = beginRound(ctx, signal)
  const unchecked = {
    before: before(now, CHECK_MS),
    endedAfter: before(now, HOUR_MS),
    failed,
    limit: BATCH,
  }
  await inBatches(signal, async () =>
    each(await selectUnchecked(db, unchecked), async (file) => {
      await confirmUpload(ctx, files, file)
      await markChecked(db, file, ctx.clock.now())
    }),
  )
  end()
}
