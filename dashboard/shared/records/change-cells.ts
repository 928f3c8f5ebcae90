// Changes values of many records: shown immediately, written in batches of a hundred, and reverted where the service
// refuses them. The reason is shown in their cells.
import type { QueryClient } from '@tanstack/react-query'
import type { BulkResult } from '../../../contract/records.ts'
import { messageOf } from '../api/errors.ts'
import type { Attribute } from '../api/objects.ts'
import { type CrmRecord, type RecordData, recordsKey, writeRecords } from '../api/records.ts'
import { addUnsaved, withValue } from '../api/unsaved-values.ts'
import { replaceRecords } from './edit-record.ts'
import { forgetRefused, keepRefused } from './refused-values.ts'
import { sameValue } from './same-value.ts'

export interface CellChange {
  record: CrmRecord
  attribute: Attribute
  /** null clears the value. */
  to: unknown
}

export interface ChangedCells {
  changed: CellChange[]
  refused: CellChange[]
  /** The error that stopped the writing: no response, or one reason for all refusals. */
  error: unknown
}

interface Target {
  client: QueryClient
  org: string
  /** The object's slug. */
  object: string
  /** The id under which all changes can be undone together. */
  changeSetId: string
}

export const valueIn = ({ record, attribute }: CellChange): unknown => record.data[attribute.slug] ?? null

/** Removes changes without effect, and groups the rest by record. */
function byRecord(changes: readonly CellChange[]): [string, CellChange[]][] {
  const real = changes.filter((change) => !sameValue(valueIn(change), change.to))
  return [...Map.groupBy(real, ({ record }) => record.id)]
}

const dataOf = (changes: readonly CellChange[]): RecordData =>
  Object.fromEntries(changes.map(({ attribute, to }) => [attribute.slug, to]))

/** Shows the values in all cached records. */
function show(target: Target, changes: readonly CellChange[], shown: (change: CellChange) => unknown): void {
  const byId = Map.groupBy(changes, ({ record }) => record.id)
  replaceRecords(target, [...byId.keys()], (record) =>
    (byId.get(record.id) ?? []).reduce(
      (seen, change) => withValue(seen, change.attribute.slug, shown(change)),
      record,
    ),
  )
}

function refuse(changes: readonly CellChange[], reason: string): void {
  for (const { record, attribute } of changes) keepRefused(record.id, attribute.slug, { reason })
}

type Failures = Pick<BulkResult, 'failed'>

/** Writes all changes. @returns the refused records with the reason, by id */
async function writeAll(
  { org, object, changeSetId }: Target,
  records: readonly [string, CellChange[]][],
  onProgress: (done: number) => void,
): Promise<{ refused: Map<string, string>; written: Set<string>; error: unknown }> {
  const refused = new Map<string, string>()
  const written = new Set<string>()
  const keep = (chunk: readonly [string, CellChange[]][], { failed }: Failures) => {
    const errors = new Map(failed.map(({ index, error }) => [index, error]))
    for (const [at, [id]] of chunk.entries()) {
      const error = errors.get(at)
      if (error === undefined) written.add(id)
      else refused.set(id, error)
    }
    onProgress(written.size + refused.size)
  }
  try {
    await writeRecords(org, object, records, {
      rowOf: ([id, changes]) => ({ id, data: dataOf(changes) }),
      onWritten: keep,
      changeSetId,
    })
    return { refused, written, error: undefined }
  } catch (error) {
    return { refused, written, error }
  }
}

/**
 * Changes cells. Clearing a required value is refused before any request.
 * @param onProgress called with the number of finished records
 */
export async function changeCells(
  target: Target,
  changes: readonly CellChange[],
  onProgress: (done: number) => void,
): Promise<ChangedCells> {
  for (const { record, attribute } of changes) forgetRefused(record.id, attribute.slug)
  const { missing = [], given = [] } = Object.groupBy(changes, ({ attribute, to }) =>
    attribute.isRequired && to === null ? 'missing' : 'given',
  )
  refuse(missing, 'Enter a value')
  const records = byRecord(given)
  const sent = records.flatMap(([, ones]) => ones)
  const settle = sent.map(({ record, attribute, to }) =>
    addUnsaved({ recordId: record.id, slug: attribute.slug, value: to }),
  )
  show(target, sent, ({ to }) => to)
  const { refused, written, error } = await writeAll(target, records, onProgress)
  for (const done of settle) done()
  const failed = sent.filter(({ record }) => !written.has(record.id))
  show(target, failed, valueIn)
  for (const change of failed) refuse([change], refused.get(change.record.id) ?? messageOf(error))
  if (sent.length > 0)
    void target.client.invalidateQueries({ queryKey: recordsKey(target.org, target.object) })
  const changed = sent.filter(({ record }) => written.has(record.id))
  return { changed, refused: [...missing, ...failed], error }
}
