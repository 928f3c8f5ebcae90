// Collects what a restoration cannot restore.
import { type LossCode, RESTORE_LOSSES_MAX, type RestoreLoss } from '../../../contract/trash.ts'

const MEANING: Record<LossCode, string> = {
  attribute_deleted: 'the attribute was deleted',
  unknown_option: 'the option was deleted',
  unique_violation: 'this value is taken by another record now',
  record_deleted: 'the record that it referred to was deleted',
  record_in_trash: 'the record that it referred to is in the trash',
  reference_changed: 'the record that referred to it refers to another one now',
  list_full: 'the list that contained it has no room',
  record_full: 'the record that referred to it would be too large',
  value_changed: 'the value was changed since the merge',
  value_refused: 'the value from before the merge is no longer valid',
  attribute_inactive: 'the attribute is inactive',
  activity_changed: 'it was changed since the merge',
  file_changed: 'it was changed or removed since the merge',
  loser_deleted: 'the merged record was deleted for good',
}

interface LossLocation {
  recordId: string
  slug: string
  other?: string | null
  activityId?: string
}

const lossOf = (code: LossCode, { recordId, slug, other = null, activityId }: LossLocation): RestoreLoss => ({
  recordId,
  code,
  attributeSlug: slug,
  otherRecordId: other,
  activityId: activityId ?? null,
  message: `${activityId === undefined ? slug : 'activity'}: ${MEANING[code]}.`,
})

/** Counts all losses and keeps the first ones. */
export class Losses {
  readonly first: RestoreLoss[] = []
  count = 0

  add(code: LossCode, location: LossLocation): void {
    this.count += 1
    if (this.first.length < RESTORE_LOSSES_MAX) this.first.push(lossOf(code, location))
  }
}
