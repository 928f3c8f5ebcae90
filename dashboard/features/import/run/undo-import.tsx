// Undoes an import after a confirmation, batch by batch with progress. It continues when the page is left.
import { useQueryClient } from '@tanstack/react-query'
import { counted } from '../../../../contract/counted.ts'
import { ConfirmDialog } from '../../../shared/confirm-dialog.tsx'
import { toast, toastError } from '../../../shared/toast.ts'
import { undoBatches } from '../../../shared/undo/undo-set.ts'
import { useSetConflicts } from '../../../shared/undo/use-set-conflicts.tsx'
import { type ImportSummary, importsKey, undoImportBatch } from '../api.ts'
import { useImportPage } from '../page/use-import-page.ts'

const STOPPED = 'The rest can be undone from the list of imports.'

const relatedCount = ({ related }: Pick<ImportSummary, 'related'>) =>
  related.reduce((sum, { created }) => sum + created, 0)

/** @returns a function that undoes an import into the object of the page, and continues when the page is left */
export function useUndoImport(): (file: ImportSummary) => Promise<void> {
  const { org, object } = useImportPage()
  const client = useQueryClient()
  const showConflicts = useSetConflicts()
  return async (file) => {
    try {
      const size = file.progress.created + file.progress.updated + relatedCount(file)
      const undoBatch = () => undoImportBatch(org, file.id)
      const { said, conflicts } = await undoBatches(client, { org, size, undoBatch, whenStopped: STOPPED })
      toast(said)
      showConflicts({ org, object: object.slug }, conflicts)
    } catch (error) {
      toastError(error)
    } finally {
      void client.invalidateQueries({ queryKey: importsKey(org) })
    }
  }
}

/** Mount only while the dialog is open. */
export function UndoImportDialog({ file, onClose }: { file: ImportSummary; onClose(): void }) {
  const undo = useUndoImport()
  const { created, updated } = file.progress
  const all = created + relatedCount(file)
  return (
    <ConfirmDialog
      title="Undo this import?"
      confirm="Undo import"
      isHarmless
      // The undo continues while other pages are open.
      onConfirm={async () => void undo(file)}
      onClose={onClose}
    >
      {all > 0 && (
        <>{counted(all, 'record that it created goes', 'records that it created go')} to the trash. </>
      )}
      {updated > 0 && (
        <>
          {counted(updated, 'record that it updated gets', 'records that it updated get')} the earlier values
          back.{' '}
        </>
      )}
      What was changed since stays as it is.
    </ConfirmDialog>
  )
}
