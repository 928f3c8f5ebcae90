// Two people changed the same fields of an activity: shows both values, and the one who saves later chooses.
import { Stack, Table, Text } from '@mantine/core'
import { MemberChip } from '../../../shared/values/member-chip.tsx'
import { type Choice, ConflictChoice } from '../../../ui/conflict-choice.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { ACTIVITY_KINDS } from '../activity-icons.ts'
import type { Activity, ActivityPatch } from '../api.ts'
import { formatWhen } from '../days.ts'
import type { ActivityConflict } from './save-activity.ts'

const NAMES: Readonly<Record<keyof ActivityPatch, string>> = {
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

function Value({ field, values }: { field: keyof ActivityPatch; values: ActivityPatch }) {
  if (field === 'assignee' && values.assignee) return <MemberChip id={values.assignee} />
  return textOf(field, values)
}

function Row({
  field,
  now,
  patch,
}: { field: keyof ActivityPatch } & Pick<ActivityConflict, 'now' | 'patch'>) {
  return (
    <Table.Tr>
      <Table.Th scope="row">{NAMES[field]}</Table.Th>
      <Table.Td>
        <Value field={field} values={now} />
      </Table.Td>
      <Table.Td>
        <Value field={field} values={patch} />
      </Table.Td>
    </Table.Tr>
  )
}

interface ActivityConflictProps extends ActivityConflict {
  decide(choice: Choice): void
}

export function ActivityConflictDialog({ now, patch, fields, decide }: ActivityConflictProps) {
  return (
    <Dialog onClose={() => decide('theirs')} title="This was changed by someone else" size="lg">
      <Stack>
        <Text>Another person changed it after you began to edit. Which values do you want to keep?</Text>
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Td />
              <Table.Th>Current</Table.Th>
              <Table.Th>Yours</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {fields.map((field) => (
              <Row key={field} field={field} now={now} patch={patch} />
            ))}
          </Table.Tbody>
        </Table>
        <ConflictChoice decide={decide} />
      </Stack>
    </Dialog>
  )
}
