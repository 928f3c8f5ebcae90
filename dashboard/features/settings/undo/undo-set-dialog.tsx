// Asks for confirmation before a change set is undone, with a preview.
import { Stack } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { counted } from '../../../../contract/counted.ts'
import { ConfirmDialog } from '../../../shared/confirm-dialog.tsx'
import { useOrg } from '../../../shared/use-organization.ts'
import { startUndo, type UndoSource, undoJobsKey, undoPreviewQuery } from '../api/undo-jobs.ts'
import { refusedText } from './refused-text.ts'

function Preview({ source }: { source: UndoSource }) {
  const { data: dry, error } = useQuery(undoPreviewQuery(useOrg(), source))
  if (error) return <span>{refusedText(error)}</span>
  if (!dry) return <span className="muted">Counting what would be undone…</span>
  const { created, updated, deleted, conflictCount } = dry
  return (
    <Stack gap="xs">
      {created > 0 && (
        <span>
          {counted(
            created,
            'created record, activity, comment or file goes',
            'created records, activities, comments or files go',
          )}{' '}
          to the trash.
        </span>
      )}
      {updated > 0 && <span>{counted(updated, 'change is', 'changes are')} taken back.</span>}
      {deleted > 0 && (
        <span>
          {counted(
            deleted,
            'deleted record, activity, comment or file returns',
            'deleted records, activities, comments or files return',
          )}{' '}
          from the trash.
        </span>
      )}
      <span>
        What was changed since stays as it is
        {conflictCount > 0 &&
          `: so far ${counted(conflictCount, 'value, record, activity, comment or file', 'values, records, activities, comments or files')}`}
        . No workflow starts.
      </span>
    </Stack>
  )
}

/** Mount only while the dialog is open. */
export function UndoSetDialog({ source, onClose }: { source: UndoSource; onClose(): void }) {
  const org = useOrg()
  const client = useQueryClient()
  const { data: dry } = useQuery(undoPreviewQuery(org, source))
  const undo = async () => {
    await startUndo(org, source)
    await client.invalidateQueries({ queryKey: undoJobsKey(org) })
  }
  return (
    <ConfirmDialog
      title={dry ? `Undo ${counted(dry.total, 'change')}?` : 'Undo changes?'}
      confirm="Undo"
      isIncomplete={!dry}
      isHarmless
      onConfirm={undo}
      onClose={onClose}
    >
      <Stack gap="xs">
        <span className="muted">{source.name}</span>
        <Preview source={source} />
      </Stack>
    </ConfirmDialog>
  )
}
