// Removed files of records and activities: lists, restores and permanently deletes them.
import type { Logger } from 'pino'
import sql from 'sql-template-tag'
import type {
  RestoredAttachment,
  TrashedAttachment,
  TrashedAttachmentQuery,
} from '../../contract/attachment-trash.ts'
import { isUuid } from '../../contract/common.ts'
import { type Caller, shownUser } from '../base/caller.ts'
import { AppError, notFound } from '../base/errors.ts'
import type { Db } from '../db/pool.ts'
import { sealOf } from '../http/cursor.ts'
import { askedPage, pageOf } from '../http/paging.ts'
import { inBatches } from '../jobs/jobs.ts'
import type { ModelContext } from '../model/attributes/models.ts'
import { noteBelonging } from '../records/merge/belongings.ts'
import { isMicros } from '../records/trash/page-position.ts'
import { purgeByOrganization } from '../records/trash/purge-by-organization.ts'
import { lockRestores } from '../records/trash/store.ts'
import { type FollowedMerges, followMerges } from '../records/write/followed-merges.ts'
import type { AttachmentContext } from './context.ts'
import { noted, requireFew, toAttachment } from './service.ts'
import type { AttachmentRow, AttachmentSubject } from './store.ts'
import { keepSubject, requireAttachmentSubject, type SubjectParams } from './subject.ts'
import {
  findSameFile,
  insertRestoredAttachment,
  lockTrashedAttachment,
  purgeAttachment,
  purgeDueAttachments,
  purgeOrphans,
  selectTrashedAttachments,
  type TrashedAttachmentRef,
  type TrashedRow,
} from './trashed-store.ts'

function toTrashed(
  ctx: AttachmentContext,
  caller: Caller,
  { micros: _, deletedBy, ...row }: TrashedRow,
): TrashedAttachment {
  const { objectId, recordId, activityId, deletedAt, purgeAt, ...attachment } = row
  return {
    ...toAttachment(ctx, caller, attachment),
    ...{ objectId, recordId, activityId },
    ...{ deletedAt, deletedBy: shownUser(caller, deletedBy), purgeAt },
  }
}

/** @throws 400 invalid_parameter */
export async function listTrashedAttachments(
  ctx: AttachmentContext,
  caller: Caller,
  query: TrashedAttachmentQuery,
) {
  const { org } = caller
  const asked = askedPage(query, { seal: sealOf(['trashed-attachments', org]), isKey: isMicros })
  const { rows, pagination } = pageOf(asked, {
    ...(await selectTrashedAttachments(ctx.db, org, asked)),
    positionOf: ({ micros, id }: TrashedRow) => ({ key: String(micros), id }),
  })
  return { attachments: rows.map((row) => toTrashed(ctx, caller, row)), pagination }
}

/** @throws 404 not_found */
async function requireTrashed(tx: Db, org: number, id: string): Promise<TrashedAttachmentRef> {
  const found = isUuid(id) ? await lockTrashedAttachment(tx, org, id) : undefined
  if (!found) throw notFound('attachment')
  return found
}

interface Destination {
  subject: AttachmentSubject
  objectId: string | null
  /** The merges from the file's record to the subject. */
  merges: FollowedMerges['merges']
}

/** @throws 404 not_found, 409 object_inactive */
async function destinationOf(
  ctx: ModelContext,
  tx: Db,
  org: number,
  trashed: TrashedAttachmentRef,
): Promise<Destination> {
  const { obj, objectId, recordId, activityId } = trashed
  if (activityId !== null)
    return { subject: await requireThere(ctx, tx, org, { activityId }), objectId, merges: [] }
  const { winners, merges } = await followMerges(tx, { org, obj }, [recordId])
  const place = { objectId, recordId: winners.get(recordId)?.id ?? recordId }
  return { subject: await requireThere(ctx, tx, org, place), objectId, merges }
}

/** @throws 404 not_found, 409 object_inactive */
async function requireThere(
  ctx: ModelContext,
  tx: Db,
  org: number,
  place: SubjectParams,
): Promise<AttachmentSubject> {
  try {
    return await requireAttachmentSubject({ ...ctx, db: tx }, org, place, 'write')
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'not_found')) throw error
    throw new AppError(
      'not_found',
      'The record or activity of this file, or the record into which it was merged, is deleted: restore that first',
    )
  }
}

/** The winner's attachment of the same file. Then the file stays in the trash, for the undo of the merge. */
const sameOfWinner = (
  tx: Db,
  org: number,
  trashed: TrashedAttachmentRef,
  { subject, merges }: Destination,
) => (merges.length > 0 ? findSameFile(tx, org, trashed, subject) : undefined)

interface Restored extends Destination {
  /** The attachment, or the subject's attachment of the same file. */
  row: AttachmentRow
}

/** Restores a locked attachment. @throws 404 not_found, 409 limit_reached, object_inactive before any write */
export async function restoreLocked(
  ctx: ModelContext,
  tx: Db,
  caller: Caller,
  trashed: TrashedAttachmentRef,
): Promise<Restored> {
  const { org } = caller
  const destination = await destinationOf(ctx, tx, org, trashed)
  const { subject, merges } = destination
  await keepSubject(tx, org, subject)
  await requireFew(tx, org, subject, trashed.fileId)
  const row =
    (await sameOfWinner(tx, org, trashed, destination)) ??
    (await insertRestoredAttachment(tx, org, trashed, subject))
  if (row.id === trashed.id) {
    await noteBelonging(tx, org, { kind: 'file', id: row.id }, merges)
    await noted(tx, caller, subject, { ...row, before: null })
  }
  return { ...destination, row }
}

/** @throws 404 not_found, 409 limit_reached, object_inactive */
export function restoreAttachment(
  ctx: AttachmentContext,
  caller: Caller,
  id: string,
): Promise<RestoredAttachment> {
  const { org } = caller
  return ctx.db.transaction(async (tx) => {
    // Without the lock, a concurrent undo of a merge would leave the file with the winner.
    await lockRestores(tx, org)
    const trashed = await requireTrashed(tx, org, id)
    const { subject, objectId, row } = await restoreLocked(ctx, tx, caller, trashed)
    const restored = toAttachment(ctx, caller, row)
    return subject.kind === 'record'
      ? { ...restored, objectId, recordId: subject.id, activityId: null }
      : { ...restored, objectId, recordId: null, activityId: subject.id }
  })
}

/** Deletes the attachment permanently; the sweep removes the file a day later. @returns its id @throws 404 not_found */
export function removeTrashedAttachment({ db }: { db: Db }, { org }: Caller, id: string): Promise<string> {
  return db.transaction(async (tx) => {
    const found = await requireTrashed(tx, org, id)
    await purgeAttachment(tx, org, found.id)
    return found.id
  })
}

export async function purgeOldAttachments(
  ctx: { db: Db; log: Logger },
  signal: AbortSignal,
  now: Date,
): Promise<void> {
  const trash = {
    table: sql`trash_attachments`,
    failure: 'the removed files of an organization could not be purged',
    purgeBatch: (due: Parameters<typeof purgeDueAttachments>[1]) => purgeDueAttachments(ctx.db, due),
  }
  await purgeByOrganization(ctx, trash, { signal, now })
  await inBatches(signal, () => purgeOrphans(ctx.db))
}
