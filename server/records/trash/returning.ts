// Returns the records of restored objects, and the values of restored attributes, in small batches: some in the request, the
// rest in a job.
import type { Logger } from 'pino'
import sql, { raw } from 'sql-template-tag'
import type { Author } from '../../base/caller.ts'
import type { Db } from '../../db/pool.ts'
import { inTurns } from '../../jobs/jobs.ts'
import type { DefinitionKind } from '../../model/objects/trashed-definitions.ts'
import { isHere } from '../../placement/placement.ts'

/** A restored object of which something is still to return, in the name of who restored it. */
export interface RestoredObject extends Author {
  obj: number
  objectId: string
}

export interface Returning<Context, Restored> {
  kind: DefinitionKind
  /** Returns a batch; without anything left it removes the definition from the trash. @returns how much it looked at */
  returnBatch(ctx: Context, restored: Restored): Promise<number>
  countLeft(db: Db, restored: Restored): Promise<number>
  /** The message of the log when a batch fails. */
  failure: string
}

/** @returns whether it ended before `signal` aborted */
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

/** For a request. @returns how much is left */
export async function returnNow<Context extends { db: Db }, Restored>(
  returning: Returning<Context, Restored>,
  ctx: Context,
  restored: Restored,
): Promise<number> {
  await returnBatches(returning, ctx, restored, AbortSignal.timeout(REQUEST_BUDGET_MS))
  return returning.countLeft(ctx.db, restored)
}

/** While an organization is moved, those in the cell that has it. */
const selectRestored = <Restored>(db: Db, { table, number }: DefinitionKind): Promise<Restored[]> =>
  db.many<Restored>(sql`
    select t.org, t.obj, t.${raw(number)}, o.id as "objectId", t.restored_by as "userId", t.api_key as "keyId"
    from ${table} t join objects o on o.org = t.org and o.obj = t.obj and o.deleted_at is null
    where t.is_restored and ${isHere(sql`o.org`)}`)

/** For the job. */
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
