// The right column of the record page: files, references, and a group for each attribute that refers to the record.
import { ActionIcon, Box, Button, Skeleton, Tooltip } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { formatCount } from '../../../../contract/counted.ts'
import type { ObjectWithAttributes } from '../../../../contract/objects.ts'
import { messageOf } from '../../../shared/api/errors.ts'
import { type CrmRecord, searchQuery } from '../../../shared/api/records.ts'
import { FileList } from '../../../shared/attachments/file-list.tsx'
import { objectIcon } from '../../../shared/icons.ts'
import { recordPaths } from '../../../shared/paths.ts'
import { useOrg } from '../../../shared/use-organization.ts'
import { later } from '../../../ui/later.tsx'
import classes from './record.module.css'
import { ReferenceGroup } from './reference-group.tsx'
import { type Referrer, referrerTitle, relatedBody, useRelated } from './referrers.ts'
import { RelatedRecord } from './related-record.tsx'

const AddRelated = later(async () => (await import('./add-related.tsx')).AddRelated)

interface GroupProps {
  referrer: Referrer
  title: string
  recordId: string
  isReadOnly: boolean
}

interface GroupHeadProps extends Pick<GroupProps, 'referrer' | 'title'> {
  total?: number
  onAdd?: () => void
}

function GroupHead({ referrer, title, total, onAdd }: GroupHeadProps) {
  const Icon = objectIcon(referrer.object.slug)
  const add = `Add ${referrer.object.singularName.toLowerCase()}`
  return (
    <header className="group-head">
      <Icon size={14} aria-hidden />
      <h2 className="truncate" title={title}>
        {title}
      </h2>
      {total !== undefined && <span className="tiny tabular">({formatCount(total)})</span>}
      <Tooltip label={onAdd ? add : 'This object is inactive: nothing can be added'}>
        <ActionIcon
          size="sm"
          aria-label={`${add} · ${referrer.attribute.name}`}
          onClick={onAdd}
          className={onAdd ? undefined : 'off'}
          aria-disabled={!onAdd}
        >
          <Plus size={14} aria-hidden />
        </ActionIcon>
      </Tooltip>
    </header>
  )
}

function GroupRecords({ referrer, recordId, isReadOnly }: Omit<GroupProps, 'title'>) {
  const org = useOrg()
  const { object, attribute } = referrer
  const found = useQuery(searchQuery(org, object.slug, relatedBody(referrer, recordId)))
  if (found.error && !found.data) return <p className="muted small">{messageOf(found.error)}</p>
  if (!found.data) return <Skeleton height={20} my={6} />
  const { records, pagination } = found.data
  const total = pagination.total ?? records.length
  if (total === 0) return <p className="muted small">None yet</p>
  const search = { filter: [attribute.slug, 'equals', recordId] }
  return (
    <>
      <Box component="ul" mb={4}>
        {records.map((record) => (
          <RelatedRecord key={record.id} {...{ referrer, record, recordId, isReadOnly }} />
        ))}
      </Box>
      {total > records.length && (
        <Button
          component={Link}
          to={recordPaths.object(org, object.slug)}
          search={search as never}
          variant="subtle"
          color="gray"
          size="compact-xs"
        >
          Show all {formatCount(total)}
        </Button>
      )}
    </>
  )
}

function RelatedGroup({ referrer, title, recordId, isReadOnly }: GroupProps) {
  const org = useOrg()
  const [isAdding, setAdding] = useState(false)
  const { data } = useQuery(searchQuery(org, referrer.object.slug, relatedBody(referrer, recordId)))
  return (
    <section className={classes.group} aria-label={title}>
      <GroupHead
        referrer={referrer}
        title={title}
        {...(data?.pagination.total !== undefined && { total: data.pagination.total })}
        {...(!isReadOnly && { onAdd: () => setAdding(true) })}
      />
      <GroupRecords referrer={referrer} recordId={recordId} isReadOnly={isReadOnly} />
      {isAdding && <AddRelated referrer={referrer} recordId={recordId} onClose={() => setAdding(false)} />}
    </section>
  )
}

interface RelatedColumnProps {
  object: ObjectWithAttributes
  record: CrmRecord
}

function Groups({ object, record }: RelatedColumnProps) {
  const { referrers, references, isPending } = useRelated(object, record)
  if (isPending) return <Skeleton height={80} mt="md" aria-label="Loading related records" />
  return (
    <>
      {references.map((reference) => (
        <ReferenceGroup key={reference.attribute.id} reference={reference} />
      ))}
      {referrers.map((referrer) => (
        <RelatedGroup
          key={referrer.attribute.id}
          referrer={referrer}
          title={referrerTitle(referrer, referrers)}
          recordId={record.id}
          isReadOnly={!referrer.object.isActive}
        />
      ))}
    </>
  )
}

export function RelatedColumn({ object, record }: RelatedColumnProps) {
  return (
    <section className={classes.column} data-column="related" aria-label="Related records">
      <div className={classes.group}>
        <FileList
          key={record.id}
          subject={{ object: object.slug, recordId: record.id }}
          locked={object.isActive ? undefined : 'This object is inactive: nothing can be added or removed'}
        />
      </div>
      <Groups object={object} record={record} />
    </section>
  )
}
