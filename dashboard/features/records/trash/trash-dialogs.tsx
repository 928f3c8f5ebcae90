// Asks for confirmation before a record in the trash is restored or deleted permanently.

import { List, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ObjectWithAttributes } from '../../../../contract/objects.ts'
import { attributeWords } from '../../../shared/api/attribute-words.ts'
import { recordsKey } from '../../../shared/api/records.ts'
import { ConfirmDialog } from '../../../shared/confirm-dialog.tsx'
import { FormError } from '../../../shared/form-error.tsx'
import { toast } from '../../../shared/toast.ts'
import { useOrg } from '../../../shared/use-organization.ts'
import { purgeRecord, restorePreviewQuery } from '../api/trash.ts'
import { useRestore } from './use-restore.ts'

export interface TrashDialogProps {
  object: ObjectWithAttributes
  id: string
  name: string
  onClose(): void
}

function Preview({ object, id }: Pick<TrashDialogProps, 'object' | 'id'>) {
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

export function RestoreDialog({ object, id, name, onClose }: TrashDialogProps) {
  const restore = useRestore(object)
  return (
    <ConfirmDialog
      title={`Restore ${name}?`}
      confirm={`Restore ${object.singularName.toLowerCase()}`}
      isHarmless
      onConfirm={() => restore([id])}
      onClose={onClose}
    >
      <Preview object={object} id={id} />
    </ConfirmDialog>
  )
}

export function PurgeDialog({ object, id, name, onClose }: TrashDialogProps) {
  const org = useOrg()
  const client = useQueryClient()
  const purge = async () => {
    await purgeRecord(org, object.slug, id)
    await client.invalidateQueries({ queryKey: recordsKey(org, object.slug) })
    toast(`${name} was deleted permanently`)
  }
  return (
    <ConfirmDialog
      title={`Delete ${name} permanently?`}
      confirm="Delete permanently"
      onConfirm={purge}
      onClose={onClose}
    >
      It cannot be restored any more.
    </ConfirmDialog>
  )
}
