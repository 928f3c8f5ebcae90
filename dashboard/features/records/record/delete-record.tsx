// Asks for confirmation before a record is moved to the trash, and shows what is deleted with it.
import { Stack, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { ObjectWithAttributes } from '../../../../contract/objects.ts'
import { deleteRecord, recordQuery, recordsKey } from '../../../shared/api/records.ts'
import { ConfirmDialog } from '../../../shared/confirm-dialog.tsx'
import { recordPaths } from '../../../shared/paths.ts'
import { useOrg } from '../../../shared/use-organization.ts'
import { recordDeletionQuery } from '../api/record-sets.ts'
import { plural } from '../table/counted.ts'
import { useUndoableDeletion } from '../trash/use-restore.ts'

interface DeleteRecordProps {
  object: ObjectWithAttributes
  id: string
  name: string
  onClose(): void
}

function Consequence({ object, id, name }: Omit<DeleteRecordProps, 'onClose'>) {
  const { data, isPending } = useQuery(recordDeletionQuery(useOrg(), object.slug, [id]))
  if (isPending) return <Text c="dimmed">Counting what this removes…</Text>
  const { references, activities } = data ?? { references: 0, activities: 0 }
  return (
    <Stack gap="xs">
      <Text>{name} will be moved to the trash, from where it can be restored.</Text>
      {references > 0 && (
        <Text>{plural(references, 'reference', 'references')} to it in other records will be cleared.</Text>
      )}
      {activities > 0 && (
        <Text>{plural(activities, 'activity', 'activities')} will no longer be linked to it.</Text>
      )}
    </Stack>
  )
}

export function DeleteRecord({ object, id, name, onClose }: DeleteRecordProps) {
  const org = useOrg()
  const client = useQueryClient()
  const navigate = useNavigate()
  const toastDeletion = useUndoableDeletion(object)
  const confirm = async () => {
    await deleteRecord(org, object.slug, id)
    await navigate({ to: recordPaths.object(org, object.slug) })
    client.removeQueries({ queryKey: recordQuery(org, object.slug, id).queryKey })
    void client.invalidateQueries({ queryKey: recordsKey(org, object.slug) })
    void client.invalidateQueries({ queryKey: [org, 'activities'] })
    toastDeletion(`${name} was deleted`, [id])
  }
  const singular = object.singularName.toLowerCase()
  return (
    <ConfirmDialog
      title={`Delete this ${singular}?`}
      confirm={`Delete ${singular}`}
      onConfirm={confirm}
      onClose={onClose}
    >
      <Consequence object={object} id={id} name={name} />
    </ConfirmDialog>
  )
}
