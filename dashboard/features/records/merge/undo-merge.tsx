// Asks for confirmation before the last merge into a record is undone, and shows what stays as it is.
import { Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ObjectWithAttributes } from '../../../../contract/objects.ts'
import { ConfirmDialog } from '../../../shared/confirm-dialog.tsx'
import { FormError } from '../../../shared/form-error.tsx'
import { useOrg } from '../../../shared/use-organization.ts'
import { undoPreviewQuery } from '../api/merge.ts'
import { counted } from '../table/counted.ts'
import { LossList } from './merge-losses.tsx'
import { useUndoMerge } from './use-merge.tsx'

interface UndoMergeProps {
  object: ObjectWithAttributes
  mergeId: string
  onClose(): void
}

function Preview({ object, mergeId }: Omit<UndoMergeProps, 'onClose'>) {
  const { data, error } = useQuery(undoPreviewQuery(useOrg(), object.slug, mergeId))
  if (error) return <FormError error={error} lead="Could not check what returns" />
  if (!data) return <Skeleton height={16} width="70%" role="status" aria-label="Checking what returns" />
  return (
    <Stack gap="xs">
      <Text>
        {counted(object, data.restoredIds.length)} will return, with the values, references, activities and
        files from before the merge.
      </Text>
      {data.losses.length > 0 && <Text>These stay as they are now:</Text>}
      <LossList object={object} losses={data.losses} />
    </Stack>
  )
}

export function UndoMerge({ object, mergeId, onClose }: UndoMergeProps) {
  const undo = useUndoMerge(object)
  return (
    <ConfirmDialog
      title="Undo the last merge?"
      confirm="Undo merge"
      isHarmless
      onConfirm={() => undo(mergeId)}
      onClose={onClose}
    >
      <Preview object={object} mergeId={mergeId} />
    </ConfirmDialog>
  )
}
