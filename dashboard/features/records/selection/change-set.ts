// Changes many cells and creates records in one step, and shows a message with Undo.
import type { QueryClient } from '@tanstack/react-query'
import type { ObjectWithAttributes } from '../../../../contract/objects.ts'
import { ownerAttribute } from '../../../../contract/standard-objects.ts'
import type { SetConflict } from '../../../../contract/undo.ts'
import { type RecordData, recordsKey, writeRecords } from '../../../shared/api/records.ts'
import { type CellChange, changeCells } from '../../../shared/records/change-cells.ts'
import { toastError } from '../../../shared/toast.ts'
import { offerSetUndo } from '../../../shared/undo/offer-set-undo.ts'
import type { OfObject } from '../../../shared/undo/set-conflicts.tsx'
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
  /** Shows the values that an undo did not restore. */
  showConflicts(of: OfObject, conflicts: readonly SetConflict[]): void
}

const recordsOf = (changes: readonly CellChange[]): number =>
  new Set(changes.map(({ record }) => record.id)).size

/** What was written so far, under one id. */
class Written {
  readonly id = crypto.randomUUID()
  changed: readonly CellChange[] = []
  /** Number of created records. */
  created = 0

  /** Number of written records. */
  get size(): number {
    return recordsOf(this.changed) + this.created
  }
}

interface Creating {
  context: EditContext
  written: Written
  /** Called with the number of finished records. */
  onProgress(done: number): void
}

/** Creates records, which the signed-in user owns unless an owner is given. @returns why others were refused */
async function create(
  { context, written, onProgress }: Creating,
  creations: readonly RecordData[],
): Promise<Error | undefined> {
  const { client, org, userId, object } = context
  const owner = ownerAttribute(object.attributes)
  const errors = new Set<string>()
  let done = 0
  try {
    await writeRecords(org, object.slug, creations, {
      changeSetId: written.id,
      rowOf: (data) => ({ data: { ...(owner && { [owner.slug]: userId }), ...data } }),
      onWritten(chunk, { created, failed }) {
        written.created += created
        for (const { error } of failed) errors.add(error)
        done += chunk.length
        onProgress(done)
      },
    })
  } finally {
    if (written.created > 0) await client.invalidateQueries({ queryKey: recordsKey(org, object.slug) })
  }
  return errors.size > 0 ? new Error([...errors].join('. ')) : undefined
}

async function write(
  context: EditContext,
  { changes, creations = [], done }: ChangeSet,
  written: Written,
): Promise<void> {
  const changing = recordsOf(changes)
  const progress = toastProgress('Saving', changing + creations.length)
  try {
    const target = { ...context, object: context.object.slug, changeSetId: written.id }
    const { changed, refused, error } = await changeCells(target, changes, progress.done)
    written.changed = changed
    if (refused.length > 0)
      toastError(error ?? new Error(`${cells(refused.length)} not ${done}: each says why where it is marked`))
    const onProgress = (count: number) => progress.done(changing + count)
    const refusal = await create({ context, written, onProgress }, creations)
    if (refusal) toastError(refusal)
  } finally {
    progress.end()
  }
}

function offerUndo(context: EditContext, { id, changed, created, size }: Written, done: string): void {
  const { org, object } = context
  const parts = [
    changed.length > 0 && `${cells(changed.length)} ${done}`,
    created > 0 && `${counted(object, created)} created`,
  ].filter((part) => part !== false)
  const label = parts.join(', ')
  if (parts.length > 0) offerSetUndo(context, { org, object: object.slug, id, size, label })
}

/** Writes a change set, and shows a message with Undo, also for what was written before a failure. */
export async function writeChangeSet(context: EditContext, set: ChangeSet): Promise<void> {
  const written = new Written()
  try {
    await write(context, set, written)
  } finally {
    offerUndo(context, written, set.done)
  }
}
