// Recent changes: the record, the change, the colleague and the time.
import { Box } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { CrmObject } from '../../../shared/api/objects.ts'
import { objectIcon } from '../../../shared/icons.ts'
import { recordPaths } from '../../../shared/paths.ts'
import { PictureOr } from '../../../shared/records/record-picture.tsx'
import { useOrganization } from '../../../shared/use-organization.ts'
import { TimeAgo } from '../../../ui/time.tsx'
import type { RecentRecord } from '../api.ts'
import classes from './home.module.css'
import { HomeCard, Nothing } from './home-card.tsx'
import { whatChanged } from './what-changed.ts'

interface RowProps {
  record: RecentRecord
  objects: readonly CrmObject[]
}

function Row({ record, objects }: RowProps) {
  const { organization, user } = useOrganization()
  const object = objects.find(({ id }) => id === record.objectId)
  const Icon = objectIcon(object?.slug ?? '')
  const who = record.actor?.id === user.id ? undefined : record.actor?.name
  return (
    <li className={classes.row}>
      <PictureOr object={object?.slug ?? ''} recordId={record.recordId} name={record.name}>
        <Icon className="muted" size={16} aria-label={object?.singularName} role="img" />
      </PictureOr>
      <Link
        to={recordPaths.record(organization.slug, object?.slug ?? record.objectId, record.recordId)}
        className={classes.rowName}
      >
        {record.name}
      </Link>
      <span className="truncate shrink muted">
        {whatChanged(record)}
        {who && ` by ${who}`}
      </span>
      <span className={classes.rowTime}>
        <TimeAgo value={record.at} />
      </span>
    </li>
  )
}

export function Recent({
  records,
  objects,
}: {
  records: readonly RecentRecord[]
  objects: RowProps['objects']
}) {
  return (
    <HomeCard title="Recent changes">
      {records.length === 0 ? (
        <Nothing>No record was created or changed recently.</Nothing>
      ) : (
        <Box component="ul" pb={8}>
          {records.map((record) => (
            <Row key={record.recordId} record={record} objects={objects} />
          ))}
        </Box>
      )}
    </HomeCard>
  )
}
