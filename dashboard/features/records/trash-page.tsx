// The deleted records of an object, which can be restored or deleted permanently.
import { List, Skeleton, Stack, Text } from '@mantine/core'
import { useInfiniteQuery, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { Trash2 } from 'lucide-react'
import type { ObjectWithAttributes } from '../../../contract/objects.ts'
import { namingAttribute, recordName } from '../../../contract/record-name.ts'
import { attributeWords } from '../../shared/api/attribute-words.ts'
import { objectQuery } from '../../shared/api/objects.ts'
import { recordsKey } from '../../shared/api/records.ts'
import { DeletedList } from '../../shared/deleted-list.tsx'
import { FormError } from '../../shared/form-error.tsx'
import { recordPaths } from '../../shared/paths.ts'
import { EmptyState } from '../../shared/state.tsx'
import { useOrg } from '../../shared/use-organization.ts'
import { Crumbs } from '../../ui/crumbs.tsx'
import { SettingsPage } from '../../ui/sections.tsx'
import { purgeRecord, restorePreviewQuery, trashQuery } from './api/trash.ts'
import { useRestore } from './trash/use-restore.ts'

/** What returns with a record from the trash, and what cannot. */
function RestorePreview({ object, id }: { object: ObjectWithAttributes; id: string }) {
  const { data, error } = useQuery(restorePreviewQuery(useOrg(), object.slug, id))
  if (error) return <FormError error={error} lead="Could not check what returns" />
  if (!data) return <Skeleton height={16} width="70%" role="status" aria-label="Checking what returns" />
  if (data.losses.length === 0)
    return <Text>Its values, references, activities and files return as they were.</Text>
  return (
    <Stack gap="xs">
      <Text>Everything returns, except:</Text>
      <List>
        {data.losses.map((loss) => (
          <List.Item key={`${loss.code} ${loss.attributeSlug} ${loss.otherRecordId ?? loss.activityId}`}>
            {attributeWords(loss, object.attributes)}
          </List.Item>
        ))}
      </List>
    </Stack>
  )
}

function Trash({ object }: { object: ObjectWithAttributes }) {
  const org = useOrg()
  const client = useQueryClient()
  const restore = useRestore(object)
  const query = useInfiniteQuery(trashQuery(org, object.slug))
  const naming = namingAttribute(object.attributes)
  const purge = async (id: string) => {
    await purgeRecord(org, object.slug, id)
    await client.invalidateQueries({ queryKey: recordsKey(org, object.slug) })
  }
  return (
    <DeletedList
      kind={{
        noun: object.singularName.toLowerCase(),
        empty: <EmptyState icon={Trash2} title={`No deleted ${object.pluralName.toLowerCase()}`} />,
        isDisabled: !object.isActive,
        returns: (id) => <RestorePreview object={object} id={id} />,
        restore: (id) => restore([id]).then(() => undefined),
        purge,
      }}
      query={query}
      itemsOf={({ records }) => records.map((record) => ({ ...record, name: recordName(naming, record) }))}
    />
  )
}

export function TrashPage() {
  const { object: slug } = useParams({ from: '/o/$org/objects/$object/trash' })
  const org = useOrg()
  const { data: object } = useSuspenseQuery(objectQuery(org, slug))
  return (
    <SettingsPage
      title={`Trash of ${object.pluralName.toLowerCase()}`}
      lead="Deleted records can be restored until they are deleted permanently."
      heading={
        <Crumbs way={[{ name: object.pluralName, to: recordPaths.object(org, object.slug) }]} here="Trash" />
      }
    >
      <Trash object={object} />
    </SettingsPage>
  )
}
