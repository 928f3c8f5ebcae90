// Shows a message with Undo, on any page, when an import that was started here ends.
import { QueryObserver, useQueryClient } from '@tanstack/react-query'
import { formatCount } from '../../../../contract/counted.ts'
import { toastError } from '../../../shared/toast.ts'
import { pushUndo } from '../../../shared/undo/undo-stack.ts'
import { type Import, importQuery, isBusy } from '../api.ts'
import { useImportPage } from '../page/use-import-page.ts'
import { useUndoImport } from './undo-import.tsx'

/** "leads.csv was imported: 12 records created, 3 updated". */
function completedText({ fileName, progress: { created, updated, skipped, failed } }: Import): string {
  const counts = [
    [created, 'created'],
    [updated, 'updated'],
    [skipped, 'skipped'],
    [failed, 'failed'],
  ] as const
  const parts = counts.flatMap(([count, word]) => (count > 0 ? [`${formatCount(count)} ${word}`] : []))
  return `${fileName} was imported: ${parts.join(', ')}`
}

/** @returns a function that observes an import that was just started */
export function useNoteOnEnd(): (file: Import) => void {
  const { org } = useImportPage()
  const client = useQueryClient()
  const undo = useUndoImport()
  const note = (file: Import) => {
    if (file.state === 'failed') toastError(new Error(`The import of ${file.fileName} failed.`))
    if (file.state === 'completed' && file.undo === 'possible')
      pushUndo({ label: completedText(file), undo: () => undo(file).then(() => false) })
  }
  return ({ id }) => {
    const stop = new QueryObserver(client, importQuery(org, id)).subscribe(({ data }) => {
      if (data === undefined || isBusy(data)) return
      stop()
      note(data)
    })
  }
}
