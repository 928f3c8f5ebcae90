// A record at a glance, beside the table.
import { Button, Skeleton, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ObjectWithAttributes } from '../../../contract/objects.ts'
import { namingAttribute, recordName } from '../../../contract/record-name.ts'
import { type CrmRecord, recordQuery } from '../../api/records.ts'
import { useOrg } from '../../components/use-organization.ts'
import { isEmpty } from '../../components/values/format.ts'
import { ValueView } from '../../components/values/value-view.tsx'
import { paths } from '../../paths.ts'
import { SidePanel } from '../../ui/side-panel.tsx'
import { ErrorState } from '../../ui/state.tsx'
import { Moment } from '../../ui/time.tsx'
import classes from './records.module.css'

interface QuickLookProps {
  object: ObjectWithAttributes
  id: string
  onClose(): void
}

function Values({ object, record }: { object: ObjectWithAttributes; record: CrmRecord }) {
  const filled = object.attributes.filter(({ slug }) => !isEmpty(record.data[slug]))
  return (
    <dl className={classes.look}>
      {filled.map((attribute) => (
        <div key={attribute.slug} className={classes.lookRow}>
          <dt title={attribute.name}>{attribute.name}</dt>
          <dd>
            <ValueView attribute={attribute} value={record.data[attribute.slug]} />
          </dd>
        </div>
      ))}
      <div className={classes.lookRow}>
        <dt>Created</dt>
        <dd>
          <Moment value={record.createdAt} />
        </dd>
      </div>
      <div className={classes.lookRow}>
        <dt>Updated</dt>
        <dd>
          <Moment value={record.updatedAt} />
        </dd>
      </div>
    </dl>
  )
}

export function QuickLook({ object, id, onClose }: QuickLookProps) {
  const org = useOrg()
  const { data, error, refetch } = useQuery(recordQuery(org, object.slug, id))
  const record = data?.body
  const title = record ? recordName(namingAttribute(object.attributes), record) : object.singularName
  return (
    <SidePanel title={title} onClose={onClose}>
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!record && !error && (
        <Stack role="status" aria-label="Loading record">
          <Skeleton height={12} width="60%" />
          <Skeleton height={12} width="80%" />
          <Skeleton height={12} width="40%" />
        </Stack>
      )}
      {record && (
        <>
          <Values object={object} record={record} />
          <Button component={Link} to={paths.record(org, object.slug, id)} variant="default" fullWidth>
            Open the whole record
          </Button>
        </>
      )}
    </SidePanel>
  )
}
