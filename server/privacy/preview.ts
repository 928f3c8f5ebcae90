// What an erasure of a record would remove, counted by the record's id.
import sql, { type Sql } from 'sql-template-tag'
import type { ErasurePreview } from '../../contract/privacy.ts'
import type { Caller } from '../base/caller.ts'
import type { BaseContext } from '../db/base-context.ts'
import type { Db } from '../db/pool.ts'
import { type ModelContext, type ObjectModel, withModel } from '../model/attributes/models.ts'
import { isKept } from '../model/objects/trash-rows.ts'
import { findRecord } from '../records/read/find-record.ts'
import { requireRecordId } from '../records/read/record-of.ts'
import { findSuccessors, notFoundError } from '../records/read/successor.ts'
import {
  filesOfActivities,
  filesOfRecords,
  filesOfTrashedActivities,
  ownActivities,
  ownTrashedActivities,
  selectMerged,
} from './subjects.ts'

export interface PrivacySubject {
  model: ObjectModel
  id: string
  isInTrash: boolean
  /** The record was deleted permanently, but its events have values. */
  isPurged: boolean
}

const isTrashed = async (db: Db, { org, obj }: ObjectModel, id: string): Promise<boolean> =>
  (await db.maybeOne(sql`
    select from trash t where t.org = ${org} and t.obj = ${obj} and t.id = ${id} and ${isKept} and t.merged_into is null`)) !==
  undefined

const hasEvents = async (db: Db, { org, obj }: ObjectModel, id: string): Promise<boolean> =>
  (await db.maybeOne(sql`
    select from events e where e.org = ${org} and e.subject = ${id} and e.obj = ${obj} and not e.is_erased limit 1`)) !==
  undefined

/**
 * The record, also from the trash, or a permanently deleted one with values in events.
 * @throws 404 not_found, which names the winner of a merged record
 */
export const requirePrivacySubject = (
  ctx: ModelContext,
  org: number,
  { objectId, recordId }: { objectId: string; recordId: string },
): Promise<PrivacySubject> =>
  withModel(ctx, org, objectId, async (model) => {
    const id = requireRecordId(recordId)
    const found = { model, id, isInTrash: false, isPurged: false }
    if (await findRecord(ctx.db, model, id)) return found
    if (await isTrashed(ctx.db, model, id)) return { ...found, isInTrash: true }
    const successor = (await findSuccessors(ctx.db, model, [id])).get(id)
    if (!successor && (await hasEvents(ctx.db, model, id))) return { ...found, isPurged: true }
    throw notFoundError(successor)
  })

const counted = (query: Sql): Sql => sql`(select count(*)::int from (${query}) as q)`

function countsOf(db: Db, { org, obj }: ObjectModel, ids: readonly string[]) {
  const isOne = sql`any(${ids}::uuid[])`
  const events = sql`
    select e.id from events e
    where e.org = ${org} and not e.is_erased and (e.subject = ${isOne} or e.subject in (select id from activity))`
  const activity = sql`select id from activity`
  return db.one<ErasurePreview['counts']>(sql`
    with activity as materialized (${ownActivities(org, ids)} union ${ownTrashedActivities(org, ids)}),
    event as materialized (${events})
    select ${counted(sql`
        select from records r where r.org = ${org} and r.obj = ${obj} and r.id = ${isOne}
        union all
        select from trash t where t.org = ${org} and t.obj = ${obj} and t.id = ${isOne} and ${isKept}`)} as records,
      ${counted(sql`select from links l where l.org = ${org} and l.attr > 0 and l.target = ${isOne} and l.id <> all(${ids}::uuid[])`)} as references,
      ${counted(sql`select from activity`)} as activities,
      ${counted(sql`
        select from comments c where c.org = ${org} and c.record_id = ${isOne}
        union all select from trash_comments c where c.org = ${org} and c.record_id = ${isOne}`)} as comments,
      ${counted(sql`${filesOfRecords(org, obj, ids)} union ${filesOfActivities(org, activity)} union ${filesOfTrashedActivities(org, activity)}`)} as files,
      ${counted(sql`select from event`)} as events,
      ${counted(sql`select from merges m where m.org = ${org} and m.obj = ${obj} and m.winner = ${isOne}`)} as merges,
      ${counted(sql`select from workflow_runs r where r.org = ${org} and (r.subject = ${isOne} or r.subject in (select id from activity))`)} as runs,
      ${counted(sql`
        select from webhook_endpoints w join webhook_deliveries d on d.org = w.org and d.endpoint = w.id
        where w.org = ${org} and d.event in (select id from event)`)} as deliveries`)
}

/** @throws 404 not_found */
export async function previewErasure(
  ctx: ModelContext & Pick<BaseContext, 'config'>,
  { org }: Pick<Caller, 'org'>,
  place: { objectId: string; recordId: string },
): Promise<ErasurePreview> {
  const { model, id, isInTrash } = await requirePrivacySubject(ctx, org, place)
  const ids = await selectMerged(ctx.db, model, id)
  const counts = await countsOf(ctx.db, model, ids)
  const { target, days } = ctx.config.backup
  const backupDays = target === undefined ? null : days
  const mergedIds = ids.filter((one) => one !== id)
  return { recordId: id, objectId: model.id, mergedIds, isInTrash, backupDays, counts }
}
