// The files in the trash.
import { Anchor } from '@mantine/core'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { TrashedAttachment } from '../../../contract/attachment-trash.ts'
import { activityTitleQuery } from '../api/activity-titles.ts'
import { recordNameQuery } from '../api/record-names.ts'
import { DeletedList } from '../deleted-list.tsx'
import { activityLink, recordPaths } from '../paths.ts'
import { useOrg } from '../use-organization.ts'
import { attachmentsKey, purgeAttachment, restoreAttachment, trashedAttachmentsQuery } from './api.ts'
import { restoredText } from './use-attachment-changes.ts'

function OfRecord({ objectId, recordId }: { objectId: string; recordId: string }) {
  const org = useOrg()
  const { data: name } = useQuery(recordNameQuery(org, { objectId, recordId }))
  if (name === null) return 'Of a deleted or merged record'
  return (
    <Anchor component={Link} inherit underline="always" to={recordPaths.record(org, objectId, recordId)}>
      {name ?? '…'}
    </Anchor>
  )
}

function OfActivity({ activityId }: { activityId: string }) {
  const org = useOrg()
  const { data: title } = useQuery(activityTitleQuery(org, activityId))
  if (title === null) return 'Of a deleted activity'
  return (
    <Anchor component={Link} inherit underline="always" {...activityLink(org, activityId)}>
      {title ?? '…'}
    </Anchor>
  )
}

/** The record or activity that a file belonged to. It is a link unless it was deleted. */
function FilePlace({ objectId, recordId, activityId }: TrashedAttachment) {
  if (activityId !== null) return <OfActivity activityId={activityId} />
  if (objectId === null || recordId === null) return 'Of a deleted or merged record'
  return <OfRecord objectId={objectId} recordId={recordId} />
}

export function DeletedFiles() {
  const org = useOrg()
  const client = useQueryClient()
  const refresh = () => client.invalidateQueries({ queryKey: attachmentsKey(org) })
  const kind = {
    noun: 'file',
    empty: <p className="muted">No deleted files</p>,
    returns: () => 'It returns to its record or activity, unless that is deleted.',
    restore: (id: string) => restoreAttachment(org, id).then(restoredText).finally(refresh),
    purge: (id: string) => purgeAttachment(org, id).finally(refresh),
  }
  return (
    <DeletedList
      kind={kind}
      query={useInfiniteQuery(trashedAttachmentsQuery(org))}
      itemsOf={({ attachments }) => attachments.map((file) => ({ ...file, place: <FilePlace {...file} /> }))}
    />
  )
}
