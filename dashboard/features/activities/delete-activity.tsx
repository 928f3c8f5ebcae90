// Asks for confirmation before an activity is moved to the trash.

import { counted } from '../../../contract/counted.ts'
import { ConfirmDialog } from '../../shared/confirm-dialog.tsx'
import { ACTIVITY_KINDS } from './activity-icons.ts'
import type { Activity } from './api.ts'
import { useActivityChanges } from './use-activity-changes.ts'

const linkedText = (count: number) =>
  count === 0
    ? ''
    : count === 1
      ? ' It is also removed from the linked record.'
      : ` It is also removed from the ${counted(count, 'linked record')}.`

interface DeleteActivityProps {
  activity: Activity
  /** Called after it was deleted. */
  onDeleted?(): void
  onClose(): void
}

export function DeleteActivity({ activity, onDeleted, onClose }: DeleteActivityProps) {
  const { remove } = useActivityChanges()
  const name = ACTIVITY_KINDS[activity.type].name.toLowerCase()
  return (
    <ConfirmDialog
      title={`Delete this ${name}?`}
      confirm={`Delete ${name}`}
      onConfirm={() => remove(activity).then(onDeleted)}
      onClose={onClose}
    >
      “{activity.title}” will be moved to the trash, from where it can be restored.
      {linkedText(activity.linkedRecords.length)}
    </ConfirmDialog>
  )
}
