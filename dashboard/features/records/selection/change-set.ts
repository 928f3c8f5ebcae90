// Changes of many cells, and records created with them, as one step: with a note that says what was done, and undoes it.
import type { QueryClient } from '@tanstack/react-query'
import type { ObjectWithAttributes } from '../../../../contract/objects.ts'
import { ownerAttribute } from '../../../../contract/standard-objects.ts'
import { deleteRecords, type RecordData, recordsKey, writeRecords } from '../../../shared/api/records.ts'
import { type CellChange, changeCells } from '../../../shared/records/change-cells.ts'
import { toast, toastError } from '../../../shared/toast.ts'
import { pushUndo } from '../../../shared/undo/undo-stack.ts'
import { toastProgress } from '../../../ui/progress-toast.tsx'
import { counted, plural } from '../table/counted.ts'

const cells = (count: number) => plural(count, 'cell', 'cells')

export interface ChangeSet {
  changes: readonly CellChange[]
  /** Of new records. */
  creations?: readonly RecordData[]
  /** What is done to the cells, such as "cleared". */
  done: string
}

/** Whose table it is. */
export interface Place {
  client: QueryClient
  org: string
  userId: string
  object: ObjectWithAttributes
}

/** The changes that take these back. */
const reversed = (changes: readonly CellChange[]): CellChange[] =>
  changes.map(({ record, attribute, to }) => ({
    record: { ...record, data: { ...record.data, [attribute.slug]: to } },
    attribute,
    to: record.data[attribute.slug] ?? null,
  }))

const refresh = ({ client, org, object }: Place) =>
  client.invalidateQueries({ queryKey: recordsKey(org, object.slug) })

/**
 * Creates records, which the signed-in user owns unless an owner is given.
 * @returns ids of those that were created; `error`: why others were not
 */
async function create(
  place: Place,
  creations: readonly RecordData[],
  onProgress: (done: number) => void,
): Promise<{ ids: string[]; error: Error | undefined }> {
  const { org, userId, object } = place
  const owner = ownerAttribute(object.attributes)
  const ids: string[] = []
  const errors = new Set<string>()
  let done = 0
  try {
    await writeRecords(org, object.slug, creations, {
      rowOf: (data) => ({ data: { ...(owner && { [owner.slug]: userId }), ...data } }),
      onWritten(chunk, { results, failed }) {
        for (const { id, status } of results) if (id !== null && status === 'created') ids.push(id)
        for (const { error } of failed) errors.add(error)
        done += chunk.length
        onProgress(done)
      },
    })
  } finally {
    if (ids.length > 0) await refresh(place)
  }
  return { ids, error: errors.size > 0 ? new Error([...errors].join('. ')) : undefined }
}

async function remove(place: Place, ids: readonly string[]): Promise<void> {
  await deleteRecords(place.org, place.object.slug, ids, () => undefined)
  await refresh(place)
}

const sizeOf = ({ changes, creations = [] }: ChangeSet) =>
  new Set(changes.map(({ record }) => record.id)).size + creations.length

async function write(place: Place, set: ChangeSet) {
  const { changes, creations = [], done } = set
  const progress = toastProgress('Saving', sizeOf(set))
  try {
    const target = { ...place, object: place.object.slug }
    const { changed, refused, error } = await changeCells(target, changes, progress.done)
    if (refused.length > 0)
      toastError(error ?? new Error(`${cells(refused.length)} not ${done}: each says why where it is marked`))
    const before = sizeOf({ changes, done })
    const created = await create(place, creations, (count) => progress.done(before + count))
    if (created.error) toastError(created.error)
    return { changed, ids: created.ids }
  } finally {
    progress.end()
  }
}

async function undo(place: Place, { changed, ids }: Awaited<ReturnType<typeof write>>): Promise<void> {
  const restored = await write(place, { changes: reversed(changed), done: 'restored' })
  if (ids.length > 0) await remove(place, ids)
  const parts = [
    restored.changed.length > 0 && `${cells(restored.changed.length)} restored`,
    ids.length > 0 && `${counted(place.object, ids.length)} moved to the trash`,
  ]
  toast(parts.filter(Boolean).join(', '))
}

/** Does all of a change set, and says so; what was done can be undone. */
export async function writeChangeSet(place: Place, set: ChangeSet): Promise<void> {
  const written = await write(place, set)
  const { changed, ids } = written
  const parts = [
    changed.length > 0 && `${cells(changed.length)} ${set.done}`,
    ids.length > 0 && `${counted(place.object, ids.length)} created`,
  ].filter((part) => part !== false)
  if (parts.length > 0)
    pushUndo({ label: parts.join(', '), undo: () => undo(place, written).then(() => false) })
}
