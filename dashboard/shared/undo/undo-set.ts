// Undoes a change set, batch by batch, with a toast that shows the progress.
import type { QueryClient } from '@tanstack/react-query'
import { counted } from '../../../contract/counted.ts'
import type { SetConflict, UndoneBatch } from '../../../contract/undo.ts'
import { toastProgress } from '../../ui/progress-toast.tsx'
import { request } from '../api/client.ts'
import { hasCode, messageOf } from '../api/errors.ts'
import { invalidateRecords } from './invalidate-records.ts'

interface ChangeSet {
  org: string
  /** The object's slug. */
  object: string
  id: string
  /** The number of records that it wrote. */
  size: number
}

const batch = ({ org, object, id }: ChangeSet) =>
  request('POST /objects/:objectId/change-sets/:changeSetId/undo', {
    org,
    params: { objectId: object, changeSetId: id },
  })

/** "37 records restored, 2 records moved to the trash. 1 value was changed since or cannot return." */
function sentence(batches: readonly UndoneBatch[]): string {
  const sum = (of: (one: UndoneBatch) => number) => batches.reduce((all, one) => all + of(one), 0)
  const [restored, trashed] = [sum((one) => one.restored), sum((one) => one.trashed)]
  const stays = sum((one) => one.conflicts.length)
  const kept = sum((one) => one.keptIds.length)
  const lost = sum((one) => one.losses.length)
  const returned = sum((one) => one.returned)
  const done = [
    restored > 0 && `${counted(restored, 'record', 'records')} restored`,
    trashed > 0 && `${counted(trashed, 'record', 'records')} moved to the trash`,
    returned > 0 && `${counted(returned, 'record', 'records')} returned from the trash`,
  ].filter((part) => part !== false)
  return [
    done.length > 0 ? done.join(', ') : 'Nothing was left to undo',
    ...(stays > 0 ? [`${counted(stays, 'value was', 'values were')} changed since or cannot return`] : []),
    ...(kept > 0
      ? [
          `${counted(kept, 'new record stays', 'new records stay')}: changed since, or other records refer to ${kept === 1 ? 'it' : 'them'}`,
        ]
      : []),
    ...(lost > 0 ? [`${counted(lost, 'value', 'values')} could not be restored`] : []),
  ].join('. ')
}

interface Undoing {
  org: string
  /** The number of records to undo. */
  size: number
  /** Undoes the last remaining batch. */
  undoBatch(): Promise<UndoneBatch>
  /** If set, the user can stop between two batches. The text then says how to continue. */
  whenStopped?: string
}

export interface UndoneSet {
  /** The result, as a sentence. */
  said: string
  conflicts: SetConflict[]
  /** false if it was stopped, or failed after the first batches. */
  isComplete: boolean
}

/** @throws ApiError */
export async function undoBatches(
  client: QueryClient,
  { org, size, undoBatch, whenStopped }: Undoing,
): Promise<UndoneSet> {
  const batches: UndoneBatch[] = []
  let isStopped = false
  const stop = () => {
    isStopped = true
  }
  const progress = toastProgress('Undoing', size, whenStopped === undefined ? undefined : stop)
  let left = 1
  let why: string | undefined
  try {
    while (left > 0 && !isStopped) {
      const undone = await undoBatch()
      batches.push(undone)
      left = undone.batchesLeft
      progress.done(batches.reduce((sum, one) => sum + one.restored + one.trashed + one.returned, 0))
    }
  } catch (error) {
    // All changes were undone before, or there were none.
    if (hasCode(error, 'not_found')) left = 0
    else if (batches.length === 0) throw error
    else why = messageOf(error)
  } finally {
    progress.end()
    invalidateRecords(client, org)
  }
  const rest = why === undefined ? whenStopped : `The rest was not undone: ${why}`
  return {
    said: [sentence(batches), ...(left > 0 && rest !== undefined ? [rest] : [])].join('. '),
    conflicts: batches.flatMap(({ conflicts }) => conflicts),
    isComplete: left === 0,
  }
}

/** @throws ApiError */
export const undoChangeSet = (client: QueryClient, set: ChangeSet): Promise<UndoneSet> =>
  undoBatches(client, { ...set, undoBatch: () => batch(set) })
