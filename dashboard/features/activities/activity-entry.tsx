// An activity in a list: one line until it is opened.
import { Checkbox } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Paperclip } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { counted } from '../../../contract/counted.ts'
import { attachmentsQuery } from '../../shared/attachments/api.ts'
import { DropArea } from '../../shared/attachments/drop-area.tsx'
import { useOrg } from '../../shared/use-organization.ts'
import { MemberChip } from '../../shared/values/member-chip.tsx'
import { RecordChip } from '../../shared/values/record-chip.tsx'
import { useTicking } from '../../ui/use-ticking.ts'
import { ActivityDetails, type EntryActions } from './activity-facts.tsx'
import { ACTIVITY_KINDS } from './activity-icons.ts'
import type { Activity } from './api.ts'
import { happenedAt, hasDueDate, isOpenTask, isOverdue } from './arrange.ts'
import { formatClock, formatWhen } from './days.ts'
import detailClasses from './details.module.css'
import classes from './entry.module.css'
import { isProvisional, useActivityChanges } from './use-activity-changes.ts'
import { DayOf } from './when.tsx'

interface ActivityEntryProps {
  activity: Activity
  actions: EntryActions
  /** The record whose page shows this list: the entry omits its chip. */
  recordId?: string | undefined
  /** Shows the day with the time, for lists without headings of days. */
  isDated?: boolean
}

function Mark({ activity }: { activity: Activity }) {
  const { complete } = useActivityChanges()
  const { type, title, completedAt } = activity
  const { icon: Icon, name } = ACTIVITY_KINDS[type]
  if (type === 'task')
    return (
      <span className={`${classes.mark} above`}>
        <Checkbox
          size="xs"
          aria-label={`Done: ${title}`}
          checked={completedAt !== null}
          disabled={isProvisional(activity)}
          onChange={({ currentTarget }) => void complete(activity, currentTarget.checked)}
        />
      </span>
    )
  return (
    <span className={classes.mark} role="img" aria-label={name}>
      <Icon size={16} aria-hidden />
    </span>
  )
}

function Due({ activity }: { activity: Activity }) {
  const isLate = useTicking((now) => isOverdue(activity, now))
  if (!hasDueDate(activity)) return <span>No due date</span>
  return (
    <span className={isLate ? 'medium danger' : undefined}>
      Due <DayOf timestamp={activity.activityDate} />
    </span>
  )
}

function Happened({ activity, isDated }: { activity: Activity; isDated: boolean }) {
  const timestamp = happenedAt(activity)
  const text = useTicking((now) => (isDated ? formatWhen(timestamp, now) : formatClock(timestamp)))
  return <time dateTime={timestamp}>{text}</time>
}

/** @param isOpen whether the details are shown; they contain the linked records, so the line omits them */
function Aside({
  activity,
  recordId,
  isDated,
  isOpen,
}: Omit<ActivityEntryProps, 'actions'> & { isOpen: boolean }) {
  const linked = isOpen ? [] : activity.linkedRecords.filter((ref) => ref.recordId !== recordId)
  const [first, ...others] = linked
  return (
    <span className={classes.aside}>
      {first && (
        <span className={classes.refs}>
          <RecordChip {...first} />
        </span>
      )}
      {others.length > 0 && (
        <span className={`above fixed ${classes.more}`} title={counted(others.length, 'more linked record')}>
          +{others.length}
        </span>
      )}
      {activity.assignee && !isOpen && (
        <span className={`${classes.refs} ${classes.member}`}>
          <MemberChip id={activity.assignee} />
        </span>
      )}
      {!isProvisional(activity) && <FileCount activityId={activity.id} />}
      <span className={classes.time}>
        {isOpenTask(activity) ? (
          <Due activity={activity} />
        ) : (
          <Happened activity={activity} isDated={isDated ?? false} />
        )}
      </span>
    </span>
  )
}

function FileCount({ activityId }: { activityId: string }) {
  const { data = [] } = useQuery(attachmentsQuery(useOrg(), { activityId }))
  if (data.length === 0) return null
  const label = counted(data.length, 'file')
  return (
    <span className={`inline fixed gap-2 ${classes.files}`} title={data.map(({ name }) => name).join('\n')}>
      <Paperclip size={12} aria-label={label} role="img" />
      {data.length > 1 && <span aria-hidden>{data.length}</span>}
    </span>
  )
}

/** On a record's page: the author, and the first two lines of the text. */
function Preview({ activity: { type, summary, createdBy } }: Pick<ActivityEntryProps, 'activity'>) {
  if (type === 'task' && summary === '') return null
  return (
    <p className={detailClasses.preview}>
      <span className="medium">{createdBy.name || createdBy.email}</span>
      {summary && ` · ${summary}`}
    </p>
  )
}

/** Files dropped on the entry, open or closed, are attached to the activity. */
function EntryPlace({
  activity,
  isOpen,
  children,
}: Pick<ActivityEntryProps, 'activity'> & { isOpen: boolean; children: ReactNode }) {
  return (
    <li className={classes.entry} data-open={isOpen || undefined}>
      <DropArea
        subject={{ activityId: activity.id }}
        name={activity.title}
        isReadOnly={isProvisional(activity)}
        withPaste={false}
      >
        {children}
      </DropArea>
    </li>
  )
}

export function ActivityEntry({ activity, actions, recordId, isDated }: ActivityEntryProps) {
  const [isOpen, setOpen] = useState(false)
  const details = useId()
  return (
    <EntryPlace activity={activity} isOpen={isOpen}>
      <div className={classes.line}>
        <Mark activity={activity} />
        <button
          type="button"
          className={classes.toggle}
          aria-expanded={isOpen}
          aria-controls={isOpen ? details : undefined}
          data-done={activity.completedAt !== null || undefined}
          title={activity.title}
          onClick={() => setOpen(!isOpen)}
        >
          {activity.title}
        </button>
        <Aside activity={activity} recordId={recordId} isDated={isDated ?? false} isOpen={isOpen} />
      </div>
      {recordId !== undefined && !isOpen && <Preview activity={activity} />}
      {isOpen && <ActivityDetails activity={activity} actions={actions} id={details} />}
    </EntryPlace>
  )
}
