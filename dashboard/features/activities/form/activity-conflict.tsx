// Two people changed the same fields of an activity: shows both values, and the one who saves later chooses.
import { Stack, Text } from '@mantine/core'
import { MemberChip } from '../../../shared/values/member-chip.tsx'
import { type Choice, ConflictChoice } from '../../../ui/conflict-choice.tsx'
import type { Columns } from '../../../ui/data-table/columns.ts'
import dataTable from '../../../ui/data-table/data-table.module.css'
import { DataTable } from '../../../ui/data-table/data-table.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { ACTIVITY_KINDS } from '../activity-icons.ts'
import type { Activity, ActivityPatch } from '../api.ts'
import { formatWhen } from '../days.ts'
import type { ActivityConflict } from './save-activity.ts'

export const FIELD_NAMES: Readonly<Record<keyof ActivityPatch, string>> = {
  title: 'Title',
  type: 'Type',
  summary: 'Details',
  activityDate: 'When',
  completedAt: 'Done',
  assignee: 'Assignee',
  linkedRecords: 'Linked records',
  participants: 'Participants',
}

function textOf(field: keyof ActivityPatch, values: ActivityPatch): string {
  const value = values[field]
  if (value === undefined || value === null || value === '') return 'Nothing'
  if (Array.isArray(value)) return `${value.length} selected`
  if (field === 'type') return ACTIVITY_KINDS[value as Activity['type']].name
  return field === 'activityDate' || field === 'completedAt' ? formatWhen(String(value)) : String(value)
}

export function FieldValue({ field, values }: { field: keyof ActivityPatch; values: ActivityPatch }) {
  if (field === 'assignee' && values.assignee) return <MemberChip id={values.assignee} />
  return textOf(field, values)
}

interface Row {
  id: keyof ActivityPatch
}

const columnsOf = ({ now, patch }: Pick<ActivityConflict, 'now' | 'patch'>): Columns<Row> => [
  { title: <span className="visually-hidden">Field</span>, kind: 'name', cell: ({ id }) => FIELD_NAMES[id] },
  { title: 'Current', cell: ({ id }) => <FieldValue field={id} values={now} /> },
  { title: 'Yours', cell: ({ id }) => <FieldValue field={id} values={patch} /> },
]

interface ActivityConflictProps extends ActivityConflict {
  decide(choice: Choice): void
}

export function ActivityConflictDialog({ now, patch, fields, decide }: ActivityConflictProps) {
  return (
    <Dialog onClose={() => decide('theirs')} title="This was changed by someone else" size="lg">
      <Stack>
        <Text>Another person changed it after you began to edit. Which values do you want to keep?</Text>
        <DataTable
          look={dataTable.grid}
          columns={columnsOf({ now, patch })}
          rows={fields.map((id) => ({ id }))}
        />
        <ConflictChoice decide={decide} />
      </Stack>
    </Dialog>
  )
}
