// The record or activity that a file belonged to. It is a link unless it was deleted.
import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { TrashedAttachment } from '../../../contract/attachment-trash.ts'
import { activityTitleQuery } from '../api/activity-titles.ts'
import { recordNameQuery } from '../api/record-names.ts'
import { activityLink, recordPaths } from '../paths.ts'
import { useOrg } from '../use-organization.ts'

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

export function FilePlace({ objectId, recordId, activityId }: TrashedAttachment) {
  if (activityId !== null) return <OfActivity activityId={activityId} />
  if (objectId === null || recordId === null) return 'Of a deleted or merged record'
  return <OfRecord objectId={objectId} recordId={recordId} />
}
