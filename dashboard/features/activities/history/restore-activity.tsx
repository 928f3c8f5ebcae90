// Restores the values before a change of an activity, after a preview. The user decides about each value that has
// changed since.
import { Checkbox, Skeleton, Stack, Text } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type {
  ActivityField,
  ActivityUndoConflict,
  UndoneActivityChange,
} from '../../../../contract/activity-history.ts'
import { ConfirmDialog } from '../../../shared/confirm-dialog.tsx'
import { FormError } from '../../../shared/form-error.tsx'
import { toast } from '../../../shared/toast.ts'
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

interface ConflictProps {
  conflict: ActivityUndoConflict
  isChosen: boolean
  onChoose(isChosen: boolean): void
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

interface PreviewProps {
  data: UndoneActivityChange
  chosen: readonly ActivityField[]
  choose(field: ActivityField, isChosen: boolean): void
}

function Preview({ data: { changes, conflicts }, chosen, choose }: PreviewProps) {
  const fields = Object.entries(changes) as [ActivityField, { from: unknown; to: unknown }][]
  if (fields.length === 0 && conflicts.length === 0)
    return <Text>The activity has these values already.</Text>
  return (
    <>
      {fields.map(([field, change]) => (
        <Change key={field} field={field} {...change} />
      ))}
      {conflicts.map((conflict) => (
        <Conflict
          key={conflict.field}
          conflict={conflict}
          isChosen={chosen.includes(conflict.field)}
          onChoose={(isChosen) => choose(conflict.field, isChosen)}
        />
      ))}
    </>
  )
}

interface RestoreActivityProps extends ActivityVersion {
  onRestored(): void
  onClose(): void
}

export function RestoreActivity({ id, version, onRestored, onClose }: RestoreActivityProps) {
  const [chosen, setChosen] = useState<ActivityField[]>([])
  const { data, error } = useQuery(previewQuery(useOrg(), { id, version }))
  const restore = useRestore({ id, version })
  const choose = (field: ActivityField, isChosen: boolean) =>
    setChosen((before) => [...before.filter((one) => one !== field), ...(isChosen ? [field] : [])])
  return (
    <ConfirmDialog
      title="Restore earlier values?"
      confirm="Restore"
      isHarmless
      onConfirm={() => restore(chosen).then(onRestored)}
      onClose={onClose}
    >
      <Stack gap="sm">
        <FormError error={error} />
        {!data && !error && (
          <Skeleton height={16} width="70%" role="status" aria-label="Checking the values" />
        )}
        {data && <Preview data={data} chosen={chosen} choose={choose} />}
      </Stack>
    </ConfirmDialog>
  )
}
