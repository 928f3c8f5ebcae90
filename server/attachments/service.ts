// Rules and transactions of attachments and pictures.
import type {
  ActivityAttachment,
  Attachment,
  NewAttachment,
  RecordPicture,
} from '../../contract/attachments.ts'
import { isUuid } from '../../contract/common.ts'
import { ATTACHMENT_NAME_MAX, ATTACHMENTS_MAX } from '../../contract/limits.ts'
import { type Caller, shownUser } from '../base/caller.ts'
import { AppError, invalidField, notFound } from '../base/errors.ts'
import { newId } from '../base/id.ts'
import type { Db } from '../db/pool.ts'
import { requireFile, requirePicture, takeIntoUse } from '../files/lookup.ts'
import { lastSegment } from '../files/path.ts'
import { publicUrlOf } from '../files/service.ts'
import { isStorable } from '../http/storable.ts'
import { noteChange } from './changes-store.ts'
import type { AttachmentContext } from './context.ts'
import {
  type AttachmentRow,
  type AttachmentSubject,
  countAttachments,
  deletePicture,
  selectAttachments,
  selectOfActivities,
  selectPictures,
  updateName,
  upsertAttachment,
  upsertPicture,
  type WrittenRow,
} from './store.ts'
import { keepSubject, requireAttachmentSubject, requireSubjectRecord, type SubjectParams } from './subject.ts'
import { trashAttachment } from './trashed-store.ts'

export const toAttachment = (
  ctx: AttachmentContext,
  caller: Caller,
  { token, path, ...row }: AttachmentRow,
): Attachment => ({
  ...row,
  createdBy: shownUser(caller, row.createdBy),
  url: publicUrlOf(ctx, token, path),
})

const ownedBy = (org: number) => ({ path: 'url', isOwn: (other: number) => other === org })

/** @throws 400 validation_error */
function requireName(name: string): string {
  const trimmed = name.trim()
  if (trimmed === '' || /\p{Cc}/u.test(trimmed) || !isStorable(trimmed))
    throw invalidField('name', 'invalid_name', 'must not contain control characters: leave them out')
  return trimmed
}

/** @throws 404 not_found */
export async function listAttachments(
  ctx: AttachmentContext,
  caller: Caller,
  params: SubjectParams,
): Promise<Attachment[]> {
  const { org } = caller
  const subject = await requireAttachmentSubject(ctx, org, params, 'read')
  const rows = await selectAttachments(ctx.db, org, subject)
  return rows.map((row) => toAttachment(ctx, caller, row))
}

export async function listOfActivities(
  ctx: AttachmentContext,
  caller: Caller,
  activityIds: readonly string[],
): Promise<ActivityAttachment[]> {
  const { org } = caller
  const rows = await selectOfActivities(ctx.db, org, activityIds)
  return rows.map(({ activityId, ...row }) => ({ activityId, attachment: toAttachment(ctx, caller, row) }))
}

/**
 * Two concurrent requests can exceed the limit by one. This is accepted, because the limit only keeps pages readable.
 * @throws 409 limit_reached
 */
export async function requireFew(
  tx: Db,
  org: number,
  subject: AttachmentSubject,
  fileId: string,
): Promise<void> {
  const { count, isThere } = await countAttachments(tx, org, subject, fileId)
  if (!isThere && count >= ATTACHMENTS_MAX)
    throw new AppError('limit_reached', `There are already ${ATTACHMENTS_MAX} files: remove one first`)
}

/** Notes the change, so that it can be undone. @returns the attachment */
export async function noted(
  tx: Db,
  caller: Caller,
  subject: AttachmentSubject,
  { before, ...row }: WrittenRow,
): Promise<AttachmentRow> {
  const kind = before === null ? 'created' : 'updated'
  const { id: attachmentId, name: after } = row
  if (before !== after) await noteChange(tx, caller, { kind, attachmentId, subject, before, after })
  return row
}

/**
 * Attaches an uploaded file. A file that is already attached keeps its id and gets the name.
 * @throws 400 validation_error, 404 not_found, 409 object_inactive, limit_reached
 */
export async function attachFile(
  ctx: AttachmentContext,
  caller: Caller,
  params: SubjectParams,
  { url, name }: NewAttachment,
): Promise<Attachment> {
  const { org, userId } = caller
  const subject = await requireAttachmentSubject(ctx, org, params, 'write')
  const given = name === undefined ? undefined : requireName(name)
  const file = await requireFile(ctx, url, ownedBy(org))
  const row = await ctx.db.transaction(async (tx) => {
    await keepSubject(tx, org, subject)
    await requireFew(tx, org, subject, file.id)
    await takeIntoUse(tx, file, 'url')
    const named = given ?? [...lastSegment(file.path)].slice(0, ATTACHMENT_NAME_MAX).join('')
    const written = await upsertAttachment(tx, org, subject, {
      id: newId(),
      fileId: file.id,
      name: named,
      createdBy: userId,
    })
    return noted(tx, caller, subject, written)
  })
  return toAttachment(ctx, caller, row)
}

interface AttachmentPlace {
  subject: SubjectParams
  attachmentId: string
}

/** @throws 400 validation_error, 404 not_found, 409 object_inactive */
export async function renameAttachment(
  ctx: AttachmentContext,
  caller: Caller,
  { subject: params, attachmentId: id }: AttachmentPlace,
  name: string | undefined,
): Promise<Attachment> {
  const { org } = caller
  const subject = await requireAttachmentSubject(ctx, org, params, 'write')
  const renamed = name === undefined ? undefined : requireName(name)
  const row = await ctx.db.transaction(async (tx) => {
    const written = isUuid(id) ? await updateName(tx, org, subject, { id, name: renamed }) : undefined
    if (!written) throw notFound('attachment')
    return noted(tx, caller, subject, written)
  })
  return toAttachment(ctx, caller, row)
}

/** Moves the attachment to the trash, and notes that. @returns whether the subject has such an attachment */
export async function trashNoted(
  tx: Db,
  caller: Caller,
  subject: AttachmentSubject,
  id: string,
): Promise<boolean> {
  const isTrashed = await trashAttachment(tx, caller, subject, id)
  const change = { kind: 'deleted', attachmentId: id, subject, before: null, after: null } as const
  if (isTrashed) await noteChange(tx, caller, change)
  return isTrashed
}

/** Moves the attachment to the trash. @returns its id @throws 404 not_found, 409 object_inactive */
export async function detachFile(
  ctx: AttachmentContext,
  caller: Caller,
  { subject: params, attachmentId: id }: AttachmentPlace,
): Promise<string> {
  const { org } = caller
  const subject = await requireAttachmentSubject(ctx, org, params, 'write')
  if (!isUuid(id)) throw notFound('attachment')
  await ctx.db.transaction(async (tx) => {
    await keepSubject(tx, org, subject)
    if (!(await trashNoted(tx, caller, subject, id))) throw notFound('attachment')
  })
  return id.toLowerCase()
}

interface RecordPlace {
  objectId: string
  recordId: string
}

/** Replaces the picture, if there is one. @throws 400 validation_error, 404 not_found, 409 object_inactive */
export async function setPicture(
  ctx: AttachmentContext,
  { org }: Caller,
  place: RecordPlace,
  url: string,
): Promise<RecordPicture> {
  const record = await requireSubjectRecord(ctx, org, place, 'write')
  const file = await requirePicture(ctx, url, ownedBy(org))
  await ctx.db.transaction(async (tx) => {
    await keepSubject(tx, org, record)
    await takeIntoUse(tx, file, 'url')
    await upsertPicture(tx, org, record, file.id)
  })
  return { recordId: record.id, url: publicUrlOf(ctx, file.token, file.path) }
}

/** @throws 404 not_found, also if there is no picture; 409 object_inactive */
export async function removePicture(
  ctx: AttachmentContext,
  { org }: Caller,
  place: RecordPlace,
): Promise<string> {
  const record = await requireSubjectRecord(ctx, org, place, 'write')
  if ((await deletePicture(ctx.db, org, record)) === 0) throw notFound('picture')
  return record.id
}

/** @throws 404 not_found, also if there is no picture */
export async function getPicture(
  ctx: AttachmentContext,
  { org }: Caller,
  place: RecordPlace,
): Promise<RecordPicture> {
  const record = await requireSubjectRecord(ctx, org, place, 'read')
  const [found] = await selectPictures(ctx.db, org, [record.id])
  if (!found) throw notFound('picture')
  return { recordId: record.id, url: publicUrlOf(ctx, found.token, found.path) }
}

export async function picturesOf(
  ctx: AttachmentContext,
  { org }: Caller,
  recordIds: readonly string[],
): Promise<RecordPicture[]> {
  const rows = await selectPictures(ctx.db, org, recordIds)
  return rows.map(({ recordId, token, path }) => ({ recordId, url: publicUrlOf(ctx, token, path) }))
}
