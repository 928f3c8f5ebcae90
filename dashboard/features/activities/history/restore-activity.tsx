// Restores the values before a change of an activity, after a preview.
import { Checkbox, Text } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import type {
  ActivityField,
  ActivityUndoConflict,
  UndoneActivityChange,
} from '../../../../contract/activity-history.ts'
import { toast } from '../../../shared/toast.ts'
import { type Choice, RestoreDialog } from '../../../shared/undo/restore-dialog.tsx'
import { pushUndo } from '../../../shared/undo/undo-stack.ts'
import { useOrg } from '../../../shared/use-organization.ts'
import { type ActivityVersion, activityHistoryKey, undoActivity } from '../api.ts'
import classes from '../details.module.css'
import { FIELD_NAMES } from '../form/activity-conflict.tsx'
import { keptText, useShowActivity, useUndoActivity } from '../form/use-undo-activity.tsx'
import { FieldChange } from './field-change.tsx'

/** A dry run of restoring. */
const previewQuery = (org: string, of: ActivityVersion) =>
  queryOptions({
    queryKey: [...activityHistoryKey(org), of.id, 'undo', of.version],
    queryFn: () => undoActivity(org, of, { dryRun: true }),
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })

const RESTORED = 'Earlier values restored'

/** @returns a function that restores the values, and offers to undo that */
function useRestore(of: ActivityVersion) {
  const org = useOrg()
  const show = useShowActivity(of.id)
  const takeBack = useUndoActivity(of.id)
  return async (overwrite: ActivityField[]) => {
    const { activity, changes } = await undoActivity(org, of, { overwrite })
    await show(activity)
    const isChanged = Object.keys(changes).length > 0
    if (isChanged) pushUndo({ label: RESTORED, undo: () => takeBack(activity.version) })
    else toast(RESTORED)
  }
}

interface ConflictProps extends Choice {
  conflict: ActivityUndoConflict
}

function Conflict({ conflict, isChosen, onChoose }: ConflictProps) {
  const { field, code, from, current } = conflict
  if (code !== 'value_changed') return <Text size="sm">{keptText([conflict])}</Text>
  return (
    <div>
      <Checkbox
        checked={isChosen}
        onChange={({ currentTarget }) => onChoose(currentTarget.checked)}
        label={`${FIELD_NAMES[field]} was changed since. Restore it anyway`}
      />
      <Change field={field} from={current} to={from} />
    </div>
  )
}

const Change = (change: { field: ActivityField; from: unknown; to: unknown }) => (
  <ul className={`${classes.changes} small`}>
    <li>
      <FieldChange {...change} />
    </li>
  </ul>
)

interface RestoreActivityProps extends ActivityVersion {
  onRestored(): void
  onClose(): void
}

const fieldsOf = ({ changes }: UndoneActivityChange) =>
  Object.entries(changes) as [ActivityField, { from: unknown; to: unknown }][]

export function RestoreActivity({ id, version, onRestored, onClose }: RestoreActivityProps) {
  const preview = useQuery(previewQuery(useOrg(), { id, version }))
  const restore = useRestore({ id, version })
  return (
    <RestoreDialog<UndoneActivityChange, ActivityField>
      what="The activity"
      preview={preview}
      onConfirm={(overwrite) => restore(overwrite).then(onRestored)}
      onClose={onClose}
    >
      {(data, choice) => (
        <>
          {fieldsOf(data).map(([field, change]) => (
            <Change key={field} field={field} {...change} />
          ))}
          {data.conflicts.map((conflict) => (
            <Conflict key={conflict.field} conflict={conflict} {...choice(conflict.field)} />
          ))}
        </>
      )}
    </RestoreDialog>
  )
}
