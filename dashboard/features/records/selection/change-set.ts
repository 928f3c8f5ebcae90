// Changes many cells and creates records in one step, and shows a message with Undo.
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
  /** Values of new records. */
  creations?: readonly RecordData[]
  /** Past participle for messages, such as "cleared". */
  done: string
}

/** The table and the signed-in user. */
export interface EditContext {
  client: QueryClient
  org: string
  userId: string
  object: ObjectWithAttributes
}

/** The changes that undo these changes. */
const reversed = (changes: readonly CellChange[]): CellChange[] =>
  changes.map(({ record, attribute, to }) => ({
    record: { ...record, data: { ...record.data, [attribute.slug]: to } },
    attribute,
    to: record.data[attribute.slug] ?? null,
  }))

const refresh = ({ client, org, object }: EditContext) =>
  client.invalidateQueries({ queryKey: recordsKey(org, object.slug) })

/**
 * Creates records, which the signed-in user owns unless an owner is given.
 * @returns ids of the created records; `error`: why other records were refused
 */
async function create(
  context: EditContext,
  creations: readonly RecordData[],
  onProgress: (done: number) => void,
): Promise<{ ids: string[]; error: Error | undefined }> {
  const { org, userId, object } = context
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
    if (ids.length > 0) await refresh(context)
  }
  return { ids, error: errors.size > 0 ? new Error([...errors].join('. ')) : undefined }
}

async function remove(context: EditContext, ids: readonly string[]): Promise<void> {
  await deleteRecords(context.org, context.object.slug, ids, () => undefined)
  await refresh(context)
}

const sizeOf = ({ changes, creations = [] }: ChangeSet) =>
  new Set(changes.map(({ record }) => record.id)).size + creations.length

async function write(context: EditContext, set: ChangeSet) {
  const { changes, creations = [], done } = set
  const progress = toastProgress('Saving', sizeOf(set))
  try {
    const target = { ...context, object: context.object.slug }
    const { changed, refused, error } = await changeCells(target, changes, progress.done)
    if (refused.length > 0)
      toastError(error ?? new Error(`${cells(refused.length)} not ${done}: each says why where it is marked`))
    const before = sizeOf({ changes, done })
    const created = await create(context, creations, (count) => progress.done(before + count))
    if (created.error) toastError(created.error)
    return { changed, ids: created.ids }
  } finally {
    progress.end()
  }
}

async function undo(
  context: EditContext,
  { changed, ids }: Awaited<ReturnType<typeof write>>,
): Promise<void> {
  const restored = await write(context, { changes: reversed(changed), done: 'restored' })
  if (ids.length > 0) await remove(context, ids)
  const parts = [
    restored.changed.length > 0 && `${cells(restored.changed.length)} restored`,
    ids.length > 0 && `${counted(context.object, ids.length)} moved to the trash`,
  ]
  toast(parts.filter(Boolean).join(', '))
}

/** Writes a change set, and shows a message with Undo. */
export async function writeChangeSet(context: EditContext, set: ChangeSet): Promise<void> {
  const written = await write(context, set)
  const { changed, ids } = written
  const parts = [
    changed.length > 0 && `${cells(changed.length)} ${set.done}`,
    ids.length > 0 && `${counted(context.object, ids.length)} created`,
  ].filter((part) => part !== false)
  if (parts.length > 0)
    pushUndo({ label: parts.join(', '), undo: () => undo(context, written).then(() => false) })
}
