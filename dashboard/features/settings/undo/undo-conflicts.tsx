// What an undo job left as it is, by record.
import { Button, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { counted } from '../../../../contract/counted.ts'
import { attributeWords } from '../../../shared/api/attribute-words.ts'
import { objectQuery } from '../../../shared/api/objects.ts'
import { useOrg } from '../../../shared/use-organization.ts'
import { useRecordName } from '../../../shared/values/record-chip.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { type UndoJob, type UndoJobConflict, undoConflictsQuery } from '../api/undo-jobs.ts'

const ofRecord = ({ message }: UndoJobConflict) =>
  `The ${message.replace(/^record: the record/, 'record').replace(/\.$/, '')}`

const FIELDS: Readonly<Record<string, string>> = {
  type: 'Type',
  title: 'Title',
  summary: 'Text',
  activityDate: 'Date',
  completedAt: 'Completion',
  assignee: 'Assignee',
  linkedRecords: 'Linked records',
  participants: 'Participants',
}

const ofActivity = ({ attributeSlug, message }: UndoJobConflict) => {
  const reason = message.replace(/^\w+: (?:the activity )?/, '').replace(/\.$/, '')
  return attributeSlug === null
    ? `An activity ${reason}`
    : `${FIELDS[attributeSlug] ?? attributeSlug} of an activity: ${reason}`
}

function Words({ objectId, conflict }: { objectId: string; conflict: UndoJobConflict }) {
  const { data: object } = useQuery(objectQuery(useOrg(), objectId))
  const { attributeSlug, recordId } = conflict
  const name = useRecordName({ objectId, recordId }) ?? '…'
  const words =
    attributeSlug === null
      ? ofRecord(conflict)
      : attributeWords({ ...conflict, attributeSlug }, object?.attributes ?? [])
  return (
    <li>
      <strong>{name}</strong> {words}
    </li>
  )
}

function Conflict({ conflict }: { conflict: UndoJobConflict }) {
  if (conflict.activityId !== null) return <li>{ofActivity(conflict)}</li>
  if (conflict.objectId === null) return <li>{ofRecord(conflict)}</li>
  return <Words objectId={conflict.objectId} conflict={conflict} />
}

/** Render it while it is open. */
export function UndoConflictsDialog({ job, onClose }: { job: UndoJob; onClose(): void }) {
  const { data } = useQuery(undoConflictsQuery(useOrg(), job.id))
  const conflicts = data?.conflicts ?? []
  const more = job.conflictCount - conflicts.length
  return (
    <Dialog title="What stays as it is" onClose={onClose}>
      <Stack gap="md">
        <Text>The timeline of a record restores earlier values one by one.</Text>
        <ul>
          {conflicts.map((conflict) => (
            <Conflict
              key={`${conflict.recordId} ${conflict.attributeSlug} ${conflict.version}`}
              conflict={conflict}
            />
          ))}
        </ul>
        {data && more > 0 && <Text c="dimmed">And {counted(more, 'other')}</Text>}
        <Button variant="default" onClick={onClose} data-autofocus>
          Close
        </Button>
      </Stack>
    </Dialog>
  )
}
