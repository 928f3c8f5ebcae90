// Undoes a wave of changes in the transaction of its batch.

import type { UndoJobConflictCode } from '../../contract/undo-jobs.ts'
import {
  restoreUpdatedActivities,
  returnDeletedActivities,
  trashCreatedActivities,
} from '../activities/undo.ts'
import { restoreRenamed, returnRemoved, trashAttached } from '../attachments/undo.ts'
import type { Caller } from '../base/caller.ts'
import { ifNotFound } from '../base/errors.ts'
import { restoreEditedComments, returnDeletedComments, trashCreatedComments } from '../comments/undo.ts'
import type { Db } from '../db/pool.ts'
import { withModel } from '../model/attributes/models.ts'
import {
  isUpdate,
  restoreUpdated,
  returnDeleted,
  trashCreated,
  type UndoWork,
} from '../records/undo/changes.ts'
import {
  type ActivitySourceChange,
  type AttachmentSourceChange,
  type CommentSourceChange,
  isOfActivity,
  isOfAttachment,
  isOfComment,
  type RecordSourceChange,
  type SourceChange,
} from './changes-store.ts'
import type { ChangeSetContext } from './context.ts'
import type { Wave } from './waves.ts'

export interface FoundConflict {
  change: Pick<SourceChange, 'obj' | 'event' | 'recordId' | 'version'>
  /** null for the whole record. */
  slug: string | null
  code: UndoJobConflictCode
  other: string | null
}

export interface UndoneWave {
  restored: number
  trashed: number
  returned: number
  conflicts: FoundConflict[]
}

export const NOTHING = { restored: 0, trashed: 0, returned: 0 }

type RecordWave = readonly [RecordSourceChange, ...RecordSourceChange[]]

const ofRecords = (changes: readonly SourceChange[], code: UndoJobConflictCode): FoundConflict[] =>
  changes.map((change) => ({ change, slug: null, code, other: null }))

/** Looks up the changes of records by their ids. */
const among = (wave: RecordWave) => {
  const byRecord = new Map(wave.map((change) => [change.recordId, change]))
  return (ids: readonly string[]) => ids.flatMap((id) => byRecord.get(id) ?? [])
}

async function undoUpdates(work: UndoWork, wave: RecordWave): Promise<UndoneWave> {
  const { restored, conflicts, deleted } = await restoreUpdated(work, wave.filter(isUpdate))
  const find = among(wave)
  const values = conflicts.flatMap(({ change, conflict: { attributeSlug: slug, code, otherRecordId } }) =>
    find([change.recordId]).map((one) => ({ change: one, slug, code, other: otherRecordId })),
  )
  const records = ofRecords(find(deleted.map(({ recordId }) => recordId)), 'record_gone')
  return { ...NOTHING, restored, conflicts: [...values, ...records] }
}

async function undoCreations(work: UndoWork, wave: RecordWave): Promise<UndoneWave> {
  const { trashed, changed, referred } = await trashCreated(work, wave)
  const find = among(wave)
  const conflicts = [
    ...ofRecords(find(changed), 'record_changed'),
    ...ofRecords(find(referred), 'record_referred'),
  ]
  return { ...NOTHING, trashed, conflicts }
}

async function undoDeletions(work: UndoWork, wave: RecordWave): Promise<UndoneWave> {
  const { returned, losses, merged, purged } = await returnDeleted(work, wave)
  const find = among(wave)
  // A reference to a record in the trash is no conflict: it returns when that record is restored.
  const lost = losses.first.filter(({ code }) => code !== 'record_in_trash')
  const values = lost.flatMap(({ recordId, attributeSlug: slug, code, otherRecordId: other }) =>
    find([recordId]).map((change) => ({ change, slug, code, other })),
  )
  const records = [...ofRecords(find(merged), 'record_merged'), ...ofRecords(find(purged), 'record_purged')]
  return { ...NOTHING, returned, conflicts: [...values, ...records] }
}

const UNDOING = {
  'record.created': undoCreations,
  'record.updated': undoUpdates,
  'record.deleted': undoDeletions,
}

async function undoActivities(
  { tx, caller }: Pick<WaveWork, 'tx' | 'caller'>,
  wave: readonly ActivitySourceChange[],
): Promise<UndoneWave> {
  switch (wave[0]?.type) {
    case 'activity.created': {
      const { count: trashed, conflicts } = await trashCreatedActivities(tx, caller, wave)
      return { ...NOTHING, trashed, conflicts }
    }
    case 'activity.deleted': {
      const { count: returned, conflicts } = await returnDeletedActivities(tx, caller, wave)
      return { ...NOTHING, returned, conflicts }
    }
    default: {
      const { count: restored, conflicts } = await restoreUpdatedActivities(tx, caller, wave)
      return { ...NOTHING, restored, conflicts }
    }
  }
}

async function undoComments(work: WaveWork, wave: readonly CommentSourceChange[]): Promise<UndoneWave> {
  switch (wave[0]?.type) {
    case 'comment.created': {
      const { count: trashed, conflicts } = await trashCreatedComments(work, wave)
      return { ...NOTHING, trashed, conflicts }
    }
    case 'comment.deleted': {
      const { count: returned, conflicts } = await returnDeletedComments(work, wave)
      return { ...NOTHING, returned, conflicts }
    }
    default: {
      const { count: restored, conflicts } = await restoreEditedComments(work, wave)
      return { ...NOTHING, restored, conflicts }
    }
  }
}

async function undoAttachments(work: WaveWork, wave: readonly AttachmentSourceChange[]): Promise<UndoneWave> {
  switch (wave[0]?.type) {
    case 'attachment.created': {
      const { count: trashed, conflicts } = await trashAttached(work, wave)
      return { ...NOTHING, trashed, conflicts }
    }
    case 'attachment.deleted': {
      const { count: returned, conflicts } = await returnRemoved(work, wave)
      return { ...NOTHING, returned, conflicts }
    }
    default: {
      const { count: restored, conflicts } = await restoreRenamed(work, wave)
      return { ...NOTHING, restored, conflicts }
    }
  }
}

export interface WaveWork {
  ctx: ChangeSetContext
  tx: Db
  caller: Caller
  /** The object whose created records are deleted even if other records refer to them; undefined for all objects. */
  ownObject: string | undefined
}

/** All changes of a wave have one type. */
export function undoWave(work: WaveWork, wave: Wave): Promise<UndoneWave> {
  const activities = wave.filter(isOfActivity)
  if (activities.length > 0) return undoActivities(work, activities)
  const attachments = wave.filter(isOfAttachment)
  if (attachments.length > 0) return undoAttachments(work, attachments)
  const comments = wave.filter(isOfComment)
  return comments.length > 0 ? undoComments(work, comments) : undoRecords(work, wave as RecordWave)
}

async function undoRecords({ ctx, tx, caller, ownObject }: WaveWork, wave: RecordWave): Promise<UndoneWave> {
  const [{ type, objectId }] = wave
  const unavailable = { ...NOTHING, conflicts: ofRecords(wave, 'object_unavailable') }
  if (objectId === null) return unavailable
  const keepsReferred = ownObject !== undefined && ownObject !== objectId
  const undone = withModel({ ...ctx, db: tx }, caller.org, objectId, (model) =>
    model.isActive
      ? tx.transaction((inner) => UNDOING[type]({ ctx, tx: inner, caller, model, keepsReferred }, wave))
      : unavailable,
  )
  return undone.catch(ifNotFound(unavailable))
}
