// Finds and locks the record that something else belongs to, such as a file or a comment.
import sql from 'sql-template-tag'
import type { Db } from '../../db/pool.ts'
import { type ModelContext, withModel } from '../../model/attributes/models.ts'
import { findRecord } from './find-record.ts'
import { requireActive, requireRecordId } from './record-of.ts'
import { recordNotFound } from './successor.ts'

export interface RecordPlace {
  obj: number
  id: string
}

/** @throws 404 not_found; for a write also 409 object_inactive */
export function requireRecord(
  ctx: ModelContext,
  org: number,
  { objectId, recordId }: { objectId: string; recordId: string },
  access: 'read' | 'write',
): Promise<RecordPlace> {
  return withModel(ctx, org, objectId, async (model) => {
    const found = await findRecord(ctx.db, model, requireRecordId(recordId))
    if (!found) throw await recordNotFound(ctx.db, model, recordId.toLowerCase())
    if (access === 'write') requireActive(model)
    return { obj: model.obj, id: found.id }
  })
}

/** Locks the record, so that it is not deleted before the transaction ends. @returns false when it does not exist */
export const keepRecord = async (tx: Db, org: number, { obj, id }: RecordPlace): Promise<boolean> =>
  (await tx.maybeOne(sql`
    select id from records where org = ${org} and obj = ${obj} and id = ${id} for key share`)) !== undefined
