// Restores the records of restored objects and the values of restored attributes in small batches: first in the
// request, then in a job.
import type { Logger } from 'pino'
import sql, { raw } from 'sql-template-tag'
import type { Author } from '../../base/caller.ts'
import type { Db } from '../../db/pool.ts'
import { inTurns } from '../../jobs/jobs.ts'
import type { DefinitionKind } from '../../model/objects/trashed-definitions.ts'
import { isHere } from '../../placement/placement.ts'

/** A restored object that is not complete yet. The author is the user or key that restored it. */
export interface RestoredObject extends Author {
  obj: number
  objectId: string
}

export interface Returning<Context, Restored> {
  kind: DefinitionKind
  /**
   * Restores a batch, or removes the definition from the trash if nothing is left.
   * @returns the number of processed rows
   */
  returnBatch(ctx: Context, restored: Restored): Promise<number>
  countLeft(db: Db, restored: Restored): Promise<number>
  /** The log message if a batch fails. */
  failure: string
}

/** @returns whether everything was restored before `signal` aborted */
async function returnBatches<Context, Restored>(
  { returnBatch }: Returning<Context, Restored>,
  ctx: Context,
  restored: Restored,
  signal: AbortSignal,
): Promise<boolean> {
  while (!signal.aborted) if ((await returnBatch(ctx, restored)) === 0) return true
  return false
}

const REQUEST_BUDGET_MS = 2000

/** Runs in a request. @returns the number of rows that are left */
export async function returnNow<Context extends { db: Db }, Restored>(
  returning: Returning<Context, Restored>,
  ctx: Context,
  restored: Restored,
): Promise<number> {
  await returnBatches(returning, ctx, restored, AbortSignal.timeout(REQUEST_BUDGET_MS))
  return returning.countLeft(ctx.db, restored)
}

/** Skips organizations whose data is in another cell. */
const selectRestored = <Restored>(db: Db, { table, number }: DefinitionKind): Promise<Restored[]> =>
  db.many<Restored>(sql`
    select t.org, t.obj, t.${raw(number)}, o.id as "objectId", t.restored_by as "userId", t.api_key as "keyId"
    from ${table} t join objects o on o.org = t.org and o.obj = t.obj and o.deleted_at is null
    where t.is_restored and ${isHere(sql`o.org`)}`)

/** Runs in the job. */
export async function returnAll<Context extends { db: Db; log: Logger }, Restored extends RestoredObject>(
  returning: Returning<Context, Restored>,
  ctx: Context,
  signal: AbortSignal,
): Promise<void> {
  const { kind, failure } = returning
  const restored = await selectRestored<Restored>(ctx.db, kind)
  await inTurns(restored, { log: ctx.log, signal, failure }, (one, slice) =>
    returnBatches(returning, ctx, one, slice),
  )
}
