// The subject that files are attached to: a record or an activity.

import { isUuid } from '../../contract/common.ts'
import { notFound } from '../base/errors.ts'
import type { Db } from '../db/pool.ts'
import type { ModelContext } from '../model/attributes/models.ts'
import { keepRecord, requireRecord as requireRecordPlace } from '../records/read/one-record.ts'
import { type AttachmentSubject, hasActivity, keepActivity, type RecordSubject } from './store.ts'

/** The subject in the parameters of an address; `objectId` may be the slug. */
export type SubjectParams = { objectId: string; recordId: string } | { activityId: string }

/** @throws 404 not_found, or 409 object_inactive for writes */
export const requireSubjectRecord = async (
  ...asked: Parameters<typeof requireRecordPlace>
): Promise<RecordSubject> => ({ kind: 'record', ...(await requireRecordPlace(...asked)) })

/** @throws 404 not_found, or 409 object_inactive for writes */
export async function requireAttachmentSubject(
  ctx: ModelContext,
  org: number,
  params: SubjectParams,
  access: 'read' | 'write',
): Promise<AttachmentSubject> {
  if ('objectId' in params) return requireSubjectRecord(ctx, org, params, access)
  const { activityId } = params
  if (!isUuid(activityId) || !(await hasActivity(ctx.db, org, activityId))) throw notFound('activity')
  return { kind: 'activity', id: activityId.toLowerCase() }
}

/** Locks the subject against deletion until the transaction ends. @throws 404 not_found */
export async function keepSubject(tx: Db, org: number, subject: AttachmentSubject): Promise<void> {
  const isThere =
    subject.kind === 'record' ? await keepRecord(tx, org, subject) : await keepActivity(tx, org, subject.id)
  if (!isThere) throw notFound(subject.kind)
}
