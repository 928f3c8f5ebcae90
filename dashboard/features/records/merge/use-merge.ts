// Merges records and undoes merges, then reloads the changed data.
import { useQueryClient } from '@tanstack/react-query'
import type { MergeBody } from '../../../../contract/merge.ts'
import type { ObjectWithAttributes } from '../../../../contract/objects.ts'
import { toast } from '../../../shared/toast.ts'
import { pushUndo } from '../../../shared/undo/undo-stack.ts'
import { useOrg } from '../../../shared/use-organization.ts'
import { mergeRecords, undoMerge } from '../api/merge.ts'
import { counted, plural } from '../table/counted.ts'

const AFFECTED = ['records', 'record-name', 'activities', 'history', 'objects']

function useRefresh(): () => void {
  const org = useOrg()
  const client = useQueryClient()
  return () => {
    for (const kind of AFFECTED) void client.invalidateQueries({ queryKey: [org, kind] })
  }
}

/** @returns a function that undoes a merge, and shows how many values stay as they are */
export function useUndoMerge(object: ObjectWithAttributes) {
  const org = useOrg()
  const refresh = useRefresh()
  return async (mergeId: string): Promise<void> => {
    try {
      const { restoredIds, lossCount } = await undoMerge(org, object.slug, mergeId)
      const kept =
        lossCount > 0
          ? `. ${plural(lossCount, 'value', 'values')} changed since, and stayed as they are.`
          : ''
      toast(`Merge undone: ${counted(object, restoredIds.length)} restored${kept}`)
    } finally {
      refresh()
    }
  }
}

/** @returns a function that merges records, and shows a message with Undo */
export function useMerge(object: ObjectWithAttributes) {
  const org = useOrg()
  const refresh = useRefresh()
  const undo = useUndoMerge(object)
  return async (body: MergeBody, name: string): Promise<void> => {
    try {
      const { mergeId } = await mergeRecords(org, object.slug, body)
      const message = `${counted(object, body.loserIds.length + 1)} merged into ${name}`
      pushUndo({ label: message, undo: () => undo(mergeId).then(() => false) })
    } finally {
      refresh()
    }
  }
}
