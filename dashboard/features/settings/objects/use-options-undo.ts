// Undo of a change of options: the options become as they were, and records get the options that they had.
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import type { OptionUse } from '../../../../contract/attribute-options.ts'
import type { SetConflict } from '../../../../contract/undo.ts'
import { hasCode } from '../../../shared/api/errors.ts'
import type { Attribute } from '../../../shared/api/objects.ts'
import { undoChangeSet } from '../../../shared/undo/undo-set.ts'
import { pushUndo } from '../../../shared/undo/undo-stack.ts'
import { useSetConflicts } from '../../../shared/undo/use-set-conflicts.tsx'
import { useOrg } from '../../../shared/use-organization.ts'
import { toastProgress } from '../../../ui/progress-toast.tsx'
import { type AttributeKey, changeOptions, updateAttribute, writtenOptions } from '../api/attributes.ts'
import { lostOptions, type OptionsChange, undoPatches } from './undo-options.ts'
import { useRefreshObjects } from './use-object-change.ts'

interface SavedChange extends OptionsChange {
  attribute: Attribute
  /** The change set of the rewritten records. */
  set: string
  /** The number of records that lost their option. */
  size: number
}

interface Place {
  org: string
  key: AttributeKey
}

/** Waits until all records are rewritten, and shows the progress. */
async function settled({ org, key }: Place, size: number): Promise<readonly OptionUse[]> {
  const progress = toastProgress('Changing', size)
  return writtenOptions(org, key, ({ changed }) => progress.done(changed)).finally(progress.end)
}

/** Removes the options that the change added. @returns false if records have one of them by now */
const removeAdded = ({ org, key }: Place, { restored }: ReturnType<typeof undoPatches>): Promise<boolean> =>
  changeOptions(org, key, restored).then(
    () => true,
    (error: unknown) => {
      if (hasCode(error, 'option_in_use')) return false
      throw error
    },
  )

/** @throws ApiError */
async function undoOptions(client: QueryClient, place: Place, change: SavedChange) {
  const { org, key } = place
  const { attribute, set, size } = change
  const patches = undoPatches(change, await settled(place, size))
  await changeOptions(org, key, patches.widened)
  await settled(place, size)
  const lost = lostOptions(change)
  const undone =
    lost.length > 0 ? await undoChangeSet(client, { org, object: key.object, id: set, size }) : undefined
  const isRemoved = await removeAdded(place, patches)
  if ([attribute.defaultValue].flat().some((option) => lost.includes(String(option))))
    await updateAttribute(org, key, { defaultValue: attribute.defaultValue })
  const said = [
    `The options of ${attribute.name} are as they were`,
    ...(undone && size > 0 ? [undone.said] : []),
    ...(isRemoved ? [] : ['New options that records have were kept']),
  ].join('. ')
  return { said, conflicts: undone?.conflicts ?? [], isComplete: undone?.isComplete ?? true }
}

/** @returns a function that offers to undo a saved change */
export function useOptionsUndo(object: string): (change: SavedChange) => void {
  const org = useOrg()
  const client = useQueryClient()
  const refresh = useRefreshObjects()
  const showConflicts = useSetConflicts()
  return function offer(change): void {
    const { name, id } = change.attribute
    const key = { object, id }
    const show = (conflicts: readonly SetConflict[]) => showConflicts({ org, object }, conflicts)
    const undo = async () => {
      try {
        const { said, conflicts, isComplete } = await undoOptions(client, { org, key }, change)
        show(conflicts)
        if (!isComplete) offer(change)
        return said
      } catch (error) {
        if (!hasCode(error, 'undo_expired')) offer(change)
        throw error
      } finally {
        await refresh()
      }
    }
    pushUndo({ label: `Options of ${name} changed`, undo })
  }
}
