// The details of an opened activity.
import { Box, Button, Group } from '@mantine/core'
import { AlarmClock, Pencil, Trash2 } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { FileList } from '../../shared/attachments/file-list.tsx'
import { MemberChip } from '../../shared/values/member-chip.tsx'
import { RecordChip } from '../../shared/values/record-chip.tsx'
import { Opening } from '../../ui/opening.ts'
import { TimeAgo } from '../../ui/time.tsx'
import type { Activity, Participant } from './api.ts'
import { hasDueDate } from './arrange.ts'
import classes from './details.module.css'
import { usePeopleId } from './form/use-people-id.ts'
import { participantKey, recordKey } from './list/keys.ts'
import { isProvisional } from './use-activity-changes.ts'
import { When } from './when.tsx'

export function ParticipantChip({ type, id }: Participant) {
  const peopleId = usePeopleId()
  return type === 'user' ? <MemberChip id={id} /> : <RecordChip objectId={peopleId} recordId={id} />
}

function Facts({ activity }: { activity: Activity }) {
  const { type, activityDate, completedAt, participants, linkedRecords, createdBy, createdAt, assignee } =
    activity
  return (
    <Box component="dl" className="facts" mb={8}>
      <dt>{type === 'task' ? 'Due' : 'When'}</dt>
      <dd>{type === 'task' && !hasDueDate(activity) ? 'No due date' : <When timestamp={activityDate} />}</dd>
      {completedAt && <dt>Done</dt>}
      {completedAt && (
        <dd>
          <When timestamp={completedAt} />
        </dd>
      )}
      {assignee && <dt>Assignee</dt>}
      {assignee && (
        <dd>
          <MemberChip id={assignee} />
        </dd>
      )}
      {participants.length > 0 && <dt>Participants</dt>}
      {participants.length > 0 && (
        <dd className="flex wrap gap-4">
          {participants.map((one) => (
            <ParticipantChip key={participantKey(one)} {...one} />
          ))}
        </dd>
      )}
      {linkedRecords.length > 0 && <dt>Linked to</dt>}
      {linkedRecords.length > 0 && (
        <dd className="flex wrap gap-4">
          {linkedRecords.map((ref) => (
            <RecordChip key={recordKey(ref)} {...ref} />
          ))}
        </dd>
      )}
      <dt>Written</dt>
      <dd>
        by {createdBy.name || createdBy.email} <TimeAgo value={createdAt} />
      </dd>
    </Box>
  )
}

const RemindMe = lazy(async () => ({ default: (await import('../inbox/remind-me.tsx')).RemindMe }))

function RemindOfTask({ activity }: { activity: Activity }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button
        variant="default"
        leftSection={<AlarmClock size={14} aria-hidden />}
        disabled={isProvisional(activity)}
        onClick={() => setOpen(true)}
      >
        Remind me
      </Button>
      <Suspense fallback={<Opening />}>
        {isOpen && (
          <RemindMe
            subject={{ activityId: activity.id }}
            name={activity.title}
            hasDueDate={hasDueDate(activity)}
            onClose={() => setOpen(false)}
          />
        )}
      </Suspense>
    </>
  )
}

export interface EntryActions {
  edit(id: string): void
  remove(activity: Activity): void
}

export function ActivityDetails({
  activity,
  actions,
  id,
}: {
  activity: Activity
  actions: EntryActions
  id: string
}) {
  const isPending = isProvisional(activity)
  return (
    <div className={classes.details} id={id}>
      {activity.summary && (
        <Box component="p" className="breakable" mb={8} style={{ whiteSpace: 'pre-wrap' }}>
          {activity.summary}
        </Box>
      )}
      <Facts activity={activity} />
      {!isPending && <FileList subject={{ activityId: activity.id }} heading="h3" />}
      <Group gap="xs">
        <Button
          variant="default"
          leftSection={<Pencil size={14} aria-hidden />}
          disabled={isPending}
          onClick={() => actions.edit(activity.id)}
        >
          Edit
        </Button>
        {activity.type === 'task' && activity.completedAt === null && <RemindOfTask activity={activity} />}
        <Button
          variant="default"
          leftSection={<Trash2 size={14} aria-hidden />}
          disabled={isPending}
          onClick={() => actions.remove(activity)}
        >
          Delete
        </Button>
      </Group>
    </div>
  )
}
