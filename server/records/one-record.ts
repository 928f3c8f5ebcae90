// The record that something else belongs to, such as a file or a comment.
import sql from 'sql-template-tag'
import { type ModelContext, withModel } from '../attributes/models.ts'
import type { Db } from '../db/pool.ts'
import { recordGone } from './merge/successor.ts'
import { requireActive, requireRecordId } from './service.ts'
import { findRecord } from './store.ts'

export interface RecordPlace {
  obj: number
  id: string
}

/** @throws 404 not_found, 409 object_inactive when it is to be written */
export function requireRecord(
  ctx: ModelContext,
  org: number,
  { objectId, recordId }: { objectId: string; recordId: string },
  access: 'read' | 'write',
): Promise<RecordPlace> {
  return withModel(ctx, org, objectId, async (model) => {
    const found = await findRecord(ctx.db, model, requireRecordId(recordId))
    if (!found) throw await recordGone(ctx.db, model, recordId.toLowerCase())
    if (access === 'write') requireActive(model)
    return { obj: model.obj, id: found.id }
  })
}

/** Whether it is there; it stays until the transaction ends. */
export const keepRecord = async (tx: Db, org: number, { obj, id }: RecordPlace): Promise<boolean> =>
  (await tx.maybeOne(sql`
    select id from records where org = ${org} and obj = ${obj} and id = ${id} for key share`)) !== undefined
