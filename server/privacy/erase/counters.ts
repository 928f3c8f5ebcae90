// Changes of counters contain values until they are folded. Folding removes a counter that becomes zero.
import sql from 'sql-template-tag'
import { foldObject } from '../../records/engine/maintenance/fold.ts'
import type { ErasureBatch, ErasureBatchWork, ErasureStep, ErasureWork } from './step.ts'

async function before({ ctx, erasure: { org, obj } }: ErasureWork): Promise<void> {
  await foldObject(ctx.db, { org, obj })
}

/** Waits for the changes that existed at the first batch; another node may fold them. */
async function batch({ tx, erasure: { org, obj, place } }: ErasureBatchWork): Promise<ErasureBatch> {
  const last =
    place ??
    (await tx.value<string>(
      sql`select coalesce(max(id), 0)::text as last from stat_changes where org = ${org} and obj = ${obj}`,
    ))
  const isLeft = await tx.maybeOne(
    sql`select from stat_changes where org = ${org} and obj = ${obj} and id <= ${last}::bigint limit 1`,
  )
  return { isDone: isLeft === undefined, place: last }
}

export const counters: ErasureStep = { name: 'counters', before, batch }
