// Merges records and undoes merges, then reloads the changed data.
import { useQueryClient } from '@tanstack/react-query'
import type { MergeBody, UnmergedRecord } from '../../../../contract/merge.ts'
import type { ObjectWithAttributes } from '../../../../contract/objects.ts'
import { useAsk } from '../../../shared/records/conflict-questions.tsx'
import { toast } from '../../../shared/toast.ts'
import { pushUndo } from '../../../shared/undo/undo-stack.ts'
import { useOrg } from '../../../shared/use-organization.ts'
import { later } from '../../../ui/later.tsx'
import { mergeRecords, undoMerge } from '../api/merge.ts'
import { counted, plural } from '../table/counted.ts'

const MergeLossesDialog = later(async () => (await import('./merge-losses.tsx')).MergeLossesDialog)

const AFFECTED = ['records', 'record-name', 'activities', 'history', 'objects']

function useRefresh(): () => void {
  const org = useOrg()
  const client = useQueryClient()
  return () => {
    for (const kind of AFFECTED) void client.invalidateQueries({ queryKey: [org, kind] })
  }
}

/** @returns a function that undoes a merge, and says how many values stay as they are */
export function useUndoMerge(object: ObjectWithAttributes) {
  const org = useOrg()
  const refresh = useRefresh()
  return async (mergeId: string): Promise<UnmergedRecord> => {
    try {
      const undone = await undoMerge(org, object.slug, mergeId)
      const { restoredIds, lossCount } = undone
      const kept =
        lossCount > 0
          ? `. ${plural(lossCount, 'value', 'values')} changed since, and stayed as they are.`
          : ''
      toast(`Merge undone: ${counted(object, restoredIds.length)} restored${kept}`)
      return undone
    } finally {
      refresh()
    }
  }
}

/** @returns a function that shows what an undone merge did not restore */
function useShownLosses(object: ObjectWithAttributes) {
  const org = useOrg()
  const ask = useAsk()
  return ({ losses, lossCount }: UnmergedRecord): void => {
    if (lossCount === 0) return
    const of = { org, object: object.slug, losses, lossCount }
    void ask((decide) => <MergeLossesDialog {...of} onClose={() => decide('theirs')} />)
  }
}

/** @returns a function that merges records, and shows a message with Undo */
export function useMerge(object: ObjectWithAttributes) {
  const org = useOrg()
  const refresh = useRefresh()
  const undo = useUndoMerge(object)
  const showLosses = useShownLosses(object)
  return async (body: MergeBody, name: string): Promise<void> => {
    try {
      const { mergeId } = await mergeRecords(org, object.slug, body)
      const message = `${counted(object, body.loserIds.length + 1)} merged into ${name}`
      pushUndo({
        label: message,
        undo: () =>
          undo(mergeId)
            .then(showLosses)
            .then(() => false),
      })
    } finally {
      refresh()
    }
  }
}
