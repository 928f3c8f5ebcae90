// Reads changes of records that can be undone, from their events.
import sql from 'sql-template-tag'
import { UNDO_HOURS } from '../../../contract/limits.ts'
import { AppError, invalidField, notFound } from '../../base/errors.ts'
import { parseJson } from '../../base/json.ts'
import type { Db } from '../../db/pool.ts'
import type { ObjectModel } from '../../model/attributes/models.ts'

export type Changes = Readonly<Record<string, { from: unknown; to: unknown }>>

export interface Change {
  /** The id of the event of the change. */
  event: string
  changes: Changes
}

interface Row {
  event: string
  type: string
  /** JSON text, so that numbers keep their digits. */
  changes: string | null
  isMerge: boolean
  isExpired: boolean
}

export const EXPIRED = `Changes can be undone for ${UNDO_HOURS} hours: enter the earlier values by hand`

/** @throws 400 validation_error, 404 not_found, 409 undo_expired */
export async function requireChange(
  tx: Db,
  { org, obj }: ObjectModel,
  { recordId, version }: { recordId: string; version: number },
): Promise<Change> {
  const row = await tx.maybeOne<Row>(sql`
    select id as event, type, changes::text as changes, merged_ids is not null as "isMerge",
      uuid_extract_timestamp(id) < now() - make_interval(hours => ${UNDO_HOURS}) as "isExpired"
    from events where org = ${org} and subject = ${recordId} and obj = ${obj} and version = ${version}
    order by id desc limit 1`)
  if (!row) throw notFound('version of this record')
  if (row.type !== 'record.updated' || row.changes === null || row.isMerge)
    throw invalidField(
      'version',
      'no_change',
      'must be a version that an update made: this one changed no values',
    )
  if (row.isExpired) throw new AppError('undo_expired', EXPIRED)
  return { event: row.event, changes: parseJson(row.changes) as Changes }
}
