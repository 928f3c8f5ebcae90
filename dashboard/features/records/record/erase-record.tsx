// Asks for confirmation before everything about a record is erased: shows the counts, and other texts that mention it.

import { Anchor, List, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { counted } from '../../../../contract/counted.ts'
import type { ObjectWithAttributes } from '../../../../contract/objects.ts'
import type { ErasurePreview, Mention } from '../../../../contract/privacy.ts'
import { objectsQuery } from '../../../shared/api/objects.ts'
import { recordQuery, recordsKey } from '../../../shared/api/records.ts'
import { ConfirmDialog } from '../../../shared/confirm-dialog.tsx'
import { FormError } from '../../../shared/form-error.tsx'
import { recordPaths } from '../../../shared/paths.ts'
import { toast } from '../../../shared/toast.ts'
import { useOrg } from '../../../shared/use-organization.ts'
import { eraseRecord, erasurePreviewQuery, mentionsQuery } from '../api/erasure.ts'

interface EraseRecordProps {
  object: ObjectWithAttributes
  id: string
  name: string
  onClose(): void
}

type Counts = ErasurePreview['counts']

const LINES: readonly (readonly [keyof Counts, string, string?])[] = [
  ['records', 'record', 'records, with those that were merged into it'],
  ['references', 'reference in other records', 'references in other records'],
  ['activities', 'activity that is only about it', 'activities that are only about it'],
  ['comments', 'comment'],
  ['files', 'file or picture', 'files and pictures'],
  ['events', 'event of its history', 'events of its history'],
  ['runs', 'workflow run'],
  ['deliveries', 'webhook delivery', 'webhook deliveries'],
]

/** Without a number while loading, and on installations where only the operator knows the days. */
function BackupsKeep({ days }: { days: number | null | undefined }) {
  return (
    <Text>
      It cannot be undone or cancelled. Backups keep the data{' '}
      {days ? `for ${counted(days, 'more day')}` : 'until they expire'}.
    </Text>
  )
}

function Consequence({ object, id }: Pick<EraseRecordProps, 'object' | 'id'>) {
  const { data, error } = useQuery(erasurePreviewQuery(useOrg(), object.id, id))
  if (error) return <FormError error={error} lead="Could not count what this removes" />
  if (!data) return <Skeleton height={96} role="status" aria-label="Counting what this removes" />
  return (
    <List aria-label="What is erased">
      {LINES.filter(([kind]) => data.counts[kind] > 0).map(([kind, noun, plural]) => (
        <List.Item key={kind}>
          <Text component="span">{counted(data.counts[kind], noun, plural)}</Text>
        </List.Item>
      ))}
      <List.Item>
        <Text component="span">Its values in imported files, results of reports and logs</Text>
      </List.Item>
    </List>
  )
}

const KINDS: Readonly<Record<Mention['kind'], string>> = {
  record: 'record',
  activity: 'activity',
  comment: 'comment on it',
  history: 'its history',
  view: 'saved view',
  report: 'report',
  workflow: 'workflow',
}

function MentionItem({ mention: { kind, objectId, id, name } }: { mention: Mention }) {
  const org = useOrg()
  const { data: objects = [] } = useQuery(objectsQuery(org))
  const slug = objects.find((one) => one.id === objectId)?.slug
  return (
    <List.Item>
      {slug === undefined || kind === 'view' ? (
        name
      ) : (
        <Anchor component={Link} to={recordPaths.record(org, slug, id)} target="_blank">
          {name}
        </Anchor>
      )}{' '}
      <Text component="span" c="dimmed">
        ({KINDS[kind]})
      </Text>
    </List.Item>
  )
}

function Mentions({ object, id }: Pick<EraseRecordProps, 'object' | 'id'>) {
  const { data, error } = useQuery(mentionsQuery(useOrg(), object.id, id))
  if (error) return <FormError error={error} lead="Could not search other texts" />
  if (!data) return <Text c="dimmed">Searching other texts for the name, email and phone…</Text>
  if (data.mentions.length === 0)
    return (
      <Text c="dimmed">
        {data.isComplete
          ? 'No other text mentions the name, email or phone.'
          : 'The search of other texts did not finish in time.'}
      </Text>
    )
  return (
    <>
      <Text>Other texts mention it. They stay: edit them first if they should not.</Text>
      <List aria-label="Mentions in other texts">
        {data.mentions.map((mention) => (
          <MentionItem key={mention.id} mention={mention} />
        ))}
      </List>
      {!data.isComplete && <Text c="dimmed">There may be more.</Text>}
    </>
  )
}

const NAME_MAX = 40

export function EraseRecord({ object, id, name, onClose }: EraseRecordProps) {
  const org = useOrg()
  const client = useQueryClient()
  const navigate = useNavigate()
  const preview = useQuery(erasurePreviewQuery(org, object.id, id))
  const erase = async () => {
    await eraseRecord(org, object.id, id)
    await navigate({ to: recordPaths.object(org, object.slug) })
    client.removeQueries({ queryKey: recordQuery(org, object.slug, id).queryKey })
    void client.invalidateQueries({ queryKey: recordsKey(org, object.slug) })
    toast('The erasure runs in the background: Settings → Privacy shows its progress')
  }
  return (
    <ConfirmDialog
      title="Erase everything about this record?"
      confirm="Erase for good"
      typed={name.length <= NAME_MAX ? name : 'erase'}
      onConfirm={erase}
      onClose={onClose}
    >
      <Stack gap="xs">
        <BackupsKeep days={preview.data?.backupDays} />
        <Consequence object={object} id={id} />
        <Mentions object={object} id={id} />
      </Stack>
    </ConfirmDialog>
  )
}
