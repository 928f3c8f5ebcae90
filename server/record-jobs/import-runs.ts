// Runs an import of the dashboard as a job, with the settings of its check.
import type { Import } from '../../contract/imports.ts'
import type { Caller } from '../base/caller.ts'
import type { Db } from '../db/pool.ts'
import { getImport, moveImport, refOf, requireRow, untilOf, WORK_ON_IMPORT } from '../imports/service.ts'
import { beginRun, cancelStoredImport, type ImportRef } from '../imports/store.ts'
import type { JobsContext } from './context.ts'
import { end } from './ends.ts'
import { insertRun, type Run, selectRun, takeEarlierRun } from './import-run-store.ts'
import type { JobSettings } from './store.ts'

/**
 * The settings that the job shows. Each batch reads the settings of the import, which contain more.
 * @throws Error without a check
 */
function settingsOf({ columns, encoding, delimiter, settings }: Run): JobSettings {
  if (!settings) throw new Error('The import was not checked')
  const { mapping, matchOn, duplicates, format, empty = 'keep' } = settings
  const hasRules = duplicates === 'skip' || duplicates === 'update'
  const choice = duplicates ?? (matchOn === null || matchOn === 'id' ? null : 'update')
  return {
    ...{ ofImport: true, format: 'csv', encoding, delimiter },
    ...{ headers: columns.map(({ header }) => header), ...format, emptyCells: empty },
    ...(matchOn !== null && { matchOn }),
    ...(choice !== null && { duplicates: choice }),
    ...(hasRules && { duplicateRules: true }),
    ...(mapping.some(({ onProblem }) => onProblem === 'create') && { createMissing: true }),
  }
}

const insertJob = async (tx: Db, ref: ImportRef) => insertRun(tx, ref, settingsOf(await selectRun(tx, ref)))

/** @throws 404 not_found, 409 wrong_state */
export async function runImport(ctx: JobsContext, caller: Caller, importId: string): Promise<Import> {
  const ref = refOf(caller, importId)
  const { objectId, settings } = await requireRow(ctx, ref)
  await moveImport(ctx, ref, 'run', (db) =>
    db.transaction(async (tx) => {
      const until = await untilOf(tx, ref, objectId, settings)
      const isBegun = await beginRun(tx, ref, { startedBy: caller.userId, ...until })
      if (!isBegun) return false
      await insertJob(tx, ref)
      await ctx.queue.enqueue(tx, WORK_ON_IMPORT, ref)
      return true
    }),
  )
  return getImport(ctx, caller, importId)
}

/**
 * Rows that were already written stay. No rows are written after the response.
 * @throws 404 not_found, 409 wrong_state
 */
export async function cancelImport(ctx: JobsContext, caller: Caller, importId: string): Promise<Import> {
  const ref = refOf(caller, importId)
  await requireRow(ctx, ref)
  await moveImport(
    ctx,
    ref,
    'cancel',
    async (db) => (await end(db, ref, { status: 'cancelled' })) || cancelStoredImport(db, ref),
  )
  return getImport(ctx, caller, importId)
}

/** Turns a run that an earlier version queued or began into a job. */
export const takeRun = (ctx: JobsContext, ref: ImportRef): Promise<void> =>
  ctx.db.transaction(async (tx) => {
    if (await takeEarlierRun(tx, ref)) await insertJob(tx, ref)
  })
