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
/** A day after the address was handed out, which is good for two hours. */
const UNUSED_MS = 22 * HOUR_MS
const DRAFT_MS = 24 * HOUR_MS
/** The interval at which the store is asked for a requested file, for as long as one can arrive. */
const CHECK_MS = 10 * 60_000

const before = (now: Date, ms: number): Date => new Date(now.getTime() - ms)

/** Registers files that reached the store at the last moment, and forgets the rest. */
async function removeUnused(ctx: FileContext, file: FileRow): Promise<void> {
  const confirmed = ctx.files.kind === 's3' ? await confirmUpload(ctx, ctx.files, file) : undefined
  if (confirmed?.state !== 'stored') await removeFile(ctx, file)
}

interface Round {
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

/**
 * Removes uploads that never came, what cut ones left, and the files of deleted organizations.
 * @throws what the first file failed with, after the others
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
 * Asks a store that takes uploads directly for those that are not registered yet.
 * @throws what the first file failed with, after the others
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
