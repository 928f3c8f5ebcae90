// The values that an undo job did not change, by record, activity, comment and file.
import { Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { counted } from '../../../../contract/counted.ts'
import { withNames } from '../../../../contract/mentions.ts'
import { activityTitleQuery } from '../../../shared/api/activity-titles.ts'
import { attributeWords } from '../../../shared/api/attribute-words.ts'
import { objectQuery } from '../../../shared/api/objects.ts'
import { beginningOf } from '../../../shared/beginning.ts'
import { MoreButton } from '../../../shared/more-button.tsx'
import { activityLink } from '../../../shared/paths.ts'
import { useOrg } from '../../../shared/use-organization.ts'
import { useRecordName } from '../../../shared/values/record-chip.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { type UndoJob, type UndoJobConflict, undoConflictsQuery } from '../api/undo-jobs.ts'
import { RecordValues, TextValues } from './conflict-values.tsx'

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
  return attributeSlug === null ? reason : `${FIELDS[attributeSlug] ?? attributeSlug}: ${reason}`
}

/** A deleted activity has no title here. It may be in the trash. */
function ActivityWords({ activityId, conflict }: { activityId: string; conflict: UndoJobConflict }) {
  const org = useOrg()
  const isThere = conflict.code !== 'activity_gone' && conflict.code !== 'activity_purged'
  const { data: title, isLoading } = useQuery({ ...activityTitleQuery(org, activityId), enabled: isThere })
  const name = title ?? (isLoading ? '…' : 'An activity')
  return (
    <li>
      {title ? (
        <Anchor component={Link} {...activityLink(org, activityId)}>
          {name}
        </Anchor>
      ) : (
        <strong>{name}</strong>
      )}{' '}
      {ofActivity(conflict)}
      <TextValues conflict={conflict} />
    </li>
  )
}

/** The text after "A comment". A reason that does not begin with "the comment" follows a colon. */
const ofComment = ({ message }: UndoJobConflict) => {
  const reason = message.replace(/^\w+: /, '').replace(/\.$/, '')
  return reason.startsWith('the comment ') ? reason.replace('the comment', '') : `: ${reason}`
}

/** The name is the beginning of the current text. A deleted comment has no text here. */
function CommentWords({ conflict }: { conflict: UndoJobConflict }) {
  const { attributeSlug, current } = conflict
  const name = typeof current === 'string' ? beginningOf(withNames(current, () => 'member')) : 'A comment'
  return (
    <li>
      <strong>{name}</strong>
      {attributeSlug === null ? ofComment(conflict) : ': its text was changed since'}
      <TextValues conflict={conflict} />
    </li>
  )
}

/** The text after "A file". A reason that does not begin with "the file" follows a colon. */
const ofFile = ({ message }: UndoJobConflict) => {
  const reason = message.replace(/^\w+: /, '').replace(/\.$/, '')
  return reason.startsWith('the file ') ? reason.replace('the file', '') : `: ${reason}`
}

/** The name is the current name. A removed file has no name here. */
function FileWords({ conflict }: { conflict: UndoJobConflict }) {
  const { attributeSlug, current } = conflict
  return (
    <li>
      <strong>{typeof current === 'string' ? current : 'A file'}</strong>
      {attributeSlug === null ? ofFile(conflict) : ': its name was changed since'}
      <TextValues conflict={conflict} />
    </li>
  )
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
      <RecordValues
        attribute={object?.attributes.find(({ slug }) => slug === attributeSlug)}
        conflict={conflict}
      />
    </li>
  )
}

function Conflict({ conflict }: { conflict: UndoJobConflict }) {
  const { activityId } = conflict
  if (conflict.commentId !== null) return <CommentWords conflict={conflict} />
  if (conflict.attachmentId !== null) return <FileWords conflict={conflict} />
  if (activityId !== null) return <ActivityWords activityId={activityId} conflict={conflict} />
  if (conflict.objectId === null) return <li>{ofRecord(conflict)}</li>
  return <Words objectId={conflict.objectId} conflict={conflict} />
}

const isOfRecord = ({ activityId, commentId, attachmentId }: UndoJobConflict) =>
  activityId === null && commentId === null && attachmentId === null

/** Mount only while the dialog is open. */
export function UndoConflictsDialog({ job, onClose }: { job: UndoJob; onClose(): void }) {
  const list = useInfiniteQuery(undoConflictsQuery(useOrg(), job.id))
  const conflicts = list.data?.pages.flatMap((page) => page.conflicts) ?? []
  const more = job.conflictCount - conflicts.length
  return (
    <Dialog title="What stays as it is" onClose={onClose}>
      <Stack gap="md">
        {conflicts.some(isOfRecord) && (
          <Text>The timeline of a record restores earlier values one by one.</Text>
        )}
        <ul>
          {conflicts.map((conflict) => (
            <Conflict
              key={`${conflict.recordId} ${conflict.attributeSlug} ${conflict.version}`}
              conflict={conflict}
            />
          ))}
        </ul>
        {list.hasNextPage && (
          <Group gap="xs">
            <MoreButton list={list} />
            {more > 0 && <Text c="dimmed">And {counted(more, 'other')}</Text>}
          </Group>
        )}
        <Button variant="default" onClick={onClose} data-autofocus>
          Close
        </Button>
      </Stack>
    </Dialog>
  )
}
