// Restores deleted records, and shows how many values could not be restored.
import { useQueryClient } from '@tanstack/react-query'
import type { ObjectWithAttributes } from '../../../../contract/objects.ts'
import { toast } from '../../../shared/toast.ts'
import { pushUndo } from '../../../shared/undo/undo-stack.ts'
import { useOrg } from '../../../shared/use-organization.ts'
import { restoreRecords } from '../api/trash.ts'
import { counted, plural } from '../table/counted.ts'

export function useRestore(object: ObjectWithAttributes) {
  const org = useOrg()
  const client = useQueryClient()
  return async (ids: readonly string[]): Promise<void> => {
    try {
      const { restored, unrestored } = await restoreRecords(org, object.slug, ids)
      const count = unrestored.length
      const rest = count > 0 ? `. ${plural(count, 'value', 'values')} could not be restored.` : ''
      toast(`${counted(object, restored)} restored${rest}`)
    } finally {
      // References from other objects are restored too.
      for (const kind of ['records', 'record-name', 'activities', 'history'])
        void client.invalidateQueries({ queryKey: [org, kind] })
    }
  }
}

/** @returns a function that shows a message about a deletion, with Undo */
export function useUndoableDeletion(object: ObjectWithAttributes) {
  const restore = useRestore(object)
  return (message: string, ids: readonly string[]): void =>
    pushUndo({ label: message, undo: () => restore(ids).then(() => false) })
}
