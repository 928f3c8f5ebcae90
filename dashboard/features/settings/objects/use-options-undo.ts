// Undo of a change of options: the options become as they were, and records get the options that they had.
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import type { OptionUse } from '../../../../contract/attribute-options.ts'
import { OPTIONS_MAX } from '../../../../contract/attribute-types/select.ts'
import { hasCode } from '../../../shared/api/errors.ts'
import type { Attribute } from '../../../shared/api/objects.ts'
import { type UndoneSet, undoChangeSet } from '../../../shared/undo/undo-set.ts'
import { pushUndo } from '../../../shared/undo/undo-stack.ts'
import { useSetConflicts } from '../../../shared/undo/use-set-conflicts.tsx'
import { useOrg } from '../../../shared/use-organization.ts'
import { type ProgressToast, toastProgress } from '../../../ui/progress-toast.tsx'
import {
  type AttributeKey,
  attributesQuery,
  changeOptions,
  updateAttribute,
  writtenOptions,
} from '../api/attributes.ts'
import { lostOptions, narrowedOptions, type OptionsChange, widenedOptions } from './undo-options.ts'
import { useRefreshObjects } from './use-object-change.ts'

interface SavedChange extends OptionsChange {
  /** The attribute before and after the change. */
  attributes: { was: Attribute; is: Attribute }
  /** The change set of the rewritten records. */
  set: string
  /** The number of records that lost their option. */
  size: number
}

interface Undoing {
  org: string
  key: AttributeKey
  client: QueryClient
  change: SavedChange
}

/** Waits until all records are rewritten, and shows the progress. */
async function settled({ org, key }: Undoing): Promise<readonly OptionUse[]> {
  let progress: ProgressToast | undefined
  const options = writtenOptions(org, key, ({ changed, total }) => {
    progress ??= toastProgress('Changing', total)
    progress.done(changed)
  })
  return options.finally(() => progress?.end())
}

/** @returns false if records have one of the options that the change added */
async function removeAdded(undoing: Undoing): Promise<boolean> {
  const { org, key, change } = undoing
  try {
    await changeOptions(org, key, narrowedOptions(change, await settled(undoing)))
    return true
  } catch (error) {
    if (hasCode(error, 'option_in_use')) return false
    throw error
  }
}

async function defaultNow({ org, key, client }: Undoing): Promise<unknown> {
  const attributes = await client.fetchQuery({ ...attributesQuery(org, key.object), staleTime: 0 })
  return attributes.find(({ id }) => id === key.id)?.defaultValue
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one ?? null) === JSON.stringify(other ?? null)

const EXPIRED: UndoneSet = {
  said: 'Records keep their options, because the change is more than a day old',
  conflicts: [],
  isComplete: true,
}

/** @returns undefined if no record lost an option */
async function undoRecords({ org, key, client, change }: Undoing): Promise<UndoneSet | undefined> {
  if (lostOptions(change).length === 0) return undefined
  const { set: id, size } = change
  return undoChangeSet(client, { org, object: key.object, id, size }).catch((error: unknown) => {
    if (hasCode(error, 'undo_expired')) return EXPIRED
    throw error
  })
}

/** @throws ApiError */
async function undoOptions(undoing: Undoing): Promise<UndoneSet> {
  const { org, key, change } = undoing
  const { was, is } = change.attributes
  const now = await settled(undoing)
  const isDefaultKept = isSame(await defaultNow(undoing), is.defaultValue)
  await changeOptions(org, key, widenedOptions(change, now))
  await settled(undoing)
  const undone = await undoRecords(undoing)
  const isRemoved = await removeAdded(undoing)
  // The default of a renamed option was renamed back with it.
  if (isDefaultKept && [was.defaultValue].flat().some((one) => lostOptions(change).includes(String(one))))
    await updateAttribute(org, key, { defaultValue: was.defaultValue })
  const said = [
    `Undone: options of ${is.name} changed`,
    ...(undone && change.size > 0 ? [undone.said] : []),
    ...(isRemoved ? [] : ['New options that records have were kept']),
  ].join('. ')
  return { said, conflicts: undone?.conflicts ?? [], isComplete: undone?.isComplete ?? true }
}

let last: Promise<unknown> = Promise.resolve()

/** Undoes one change after the other: while records are rewritten, the service refuses other changes. */
function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  const turn = last.then(work)
  last = turn.catch(() => undefined)
  return turn
}

/** @returns a function that offers to undo a saved change */
export function useOptionsUndo(object: string): (change: SavedChange) => void {
  const org = useOrg()
  const client = useQueryClient()
  const refresh = useRefreshObjects()
  const showConflicts = useSetConflicts()
  return function offer(change): void {
    // For a time, the attribute has both the lost and the new options.
    if (change.after.length + lostOptions(change).length > OPTIONS_MAX) return
    const { name, id } = change.attributes.is
    const undo = async () => {
      try {
        const undone = await inTurn(() => undoOptions({ org, key: { object, id }, client, change }))
        showConflicts({ org, object }, undone.conflicts)
        if (!undone.isComplete) offer(change)
        return undone.said
      } catch (error) {
        offer(change)
        throw error
      } finally {
        await refresh()
      }
    }
    pushUndo({ label: `Options of ${name} changed`, undo })
  }
}
