// The quick look: a panel with a record, next to the table.
import { Button, Skeleton, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ObjectWithAttributes } from '../../../../contract/objects.ts'
import { namingAttribute, recordName } from '../../../../contract/record-name.ts'
import { recordQuery } from '../../../shared/api/records.ts'
import { recordPaths } from '../../../shared/paths.ts'
import { RecordAvatar } from '../../../shared/records/record-picture.tsx'
import { ErrorState } from '../../../shared/state.tsx'
import { useOrg } from '../../../shared/use-organization.ts'
import { SidePanel } from '../../../ui/side-panel.tsx'
import { AttributeList } from '../record/attribute-list.tsx'

interface QuickLookProps {
  object: ObjectWithAttributes
  id: string
  onClose(): void
}

export function QuickLook({ object, id, onClose }: QuickLookProps) {
  const org = useOrg()
  const { data, error, refetch } = useQuery(recordQuery(org, object.slug, id))
  const record = data?.body
  const title = record ? recordName(namingAttribute(object.attributes), record) : object.singularName
  return (
    <SidePanel
      isSideBySide
      isClear
      title={
        record ? (
          <span className="inline breakable gap-8">
            <RecordAvatar object={object.slug} recordId={id} name={title} size={24} />
            {title}
          </span>
        ) : (
          title
        )
      }
      onClose={onClose}
    >
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
          <AttributeList key={id} object={object} record={record} readOnly={!object.isActive} />
          <Button
            component={Link}
            to={recordPaths.record(org, object.slug, id)}
            variant="default"
            fullWidth
            mt="lg"
          >
            Open the whole record
          </Button>
        </>
      )}
    </SidePanel>
  )
}
