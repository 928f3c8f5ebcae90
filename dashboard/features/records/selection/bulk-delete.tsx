// Deletes the selected records, after showing what is deleted with them.
import { Progress, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { formatCount } from '../../../../contract/counted.ts'
import type { RecordDeletion } from '../../../../contract/deletion.ts'
import type { ObjectWithAttributes } from '../../../../contract/objects.ts'
import { messageOf } from '../../../shared/api/errors.ts'
import { deleteRecords, recordsKey } from '../../../shared/api/records.ts'
import { ConfirmDialog } from '../../../shared/confirm-dialog.tsx'
import { toast } from '../../../shared/toast.ts'
import { offerSetUndo } from '../../../shared/undo/offer-set-undo.ts'
import { useSetConflicts } from '../../../shared/undo/use-set-conflicts.tsx'
import { useOrg } from '../../../shared/use-organization.ts'
import { recordDeletionQuery } from '../api/record-sets.ts'
import { counted, plural } from '../table/counted.ts'

interface BulkDeleteProps {
  object: ObjectWithAttributes
  ids: readonly string[]
  onClose(): void
  onDeleted(): void
}

function Consequences({ object, counts }: { object: ObjectWithAttributes; counts: RecordDeletion }) {
  const { records, references, activities } = counts
  return (
    <Stack gap={4}>
      <Text>This moves {counted(object, records)} to the trash, from where they can be restored.</Text>
      {references > 0 && (
        <Text>{plural(references, 'reference', 'references')} from other records will be cleared.</Text>
      )}
      {activities > 0 && (
        <Text>{plural(activities, 'activity', 'activities')} will no longer be linked to them.</Text>
      )}
    </Stack>
  )
}

function Foreseen({ object, ids }: Pick<BulkDeleteProps, 'object' | 'ids'>) {
  const { data, error } = useQuery(recordDeletionQuery(useOrg(), object.slug, ids))
  if (data) return <Consequences object={object} counts={data} />
  if (error) return <Text c="var(--danger)">Could not count what this removes: {messageOf(error)}</Text>
  return <Skeleton height={16} width="70%" role="status" aria-label="Counting what this removes" />
}

const deletedText = (object: ObjectWithAttributes, size: number) => `${counted(object, size)} deleted`

/** @returns a function that deletes the records and offers Undo, also for those deleted before a failure */
function useDeleteAll({ object, ids }: Pick<BulkDeleteProps, 'object' | 'ids'>) {
  const org = useOrg()
  const client = useQueryClient()
  const showConflicts = useSetConflicts()
  return async (onProgress: (done: number) => void): Promise<void> => {
    const changeSetId = crypto.randomUUID()
    let size = 0
    const hear = (done: number, deleted: number) => {
      size = deleted
      onProgress(done)
    }
    try {
      await deleteRecords(org, object.slug, { ids, changeSetId, onProgress: hear })
      if (size === 0) toast(deletedText(object, size))
    } finally {
      const set = { org, object: object.slug, id: changeSetId, size, label: deletedText(object, size) }
      if (size > 0) offerSetUndo({ client, showConflicts }, set)
      await client.invalidateQueries({ queryKey: recordsKey(org, object.slug) })
    }
  }
}

export function BulkDelete({ object, ids, onClose, onDeleted }: BulkDeleteProps) {
  const deleteAll = useDeleteAll({ object, ids })
  const [done, setDone] = useState<number>()
  const remove = async () => {
    setDone(0)
    try {
      await deleteAll(setDone)
      onDeleted()
    } finally {
      setDone(undefined)
    }
  }
  return (
    <ConfirmDialog
      title={`Delete ${counted(object, ids.length)}?`}
      confirm={`Delete ${counted(object, ids.length)}`}
      onConfirm={remove}
      onClose={onClose}
    >
      <Foreseen object={object} ids={ids} />
      {done !== undefined && (
        <Progress
          mt="sm"
          value={(done / ids.length) * 100}
          aria-label={`${formatCount(done)} of ${formatCount(ids.length)} deleted`}
        />
      )}
    </ConfirmDialog>
  )
}
