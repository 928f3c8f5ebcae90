// Simulates writing rows one after the other: a pure counterpart of records/bulk/waves.ts.
import type { RowFault } from '../../contract/records.ts'
import { AppError, notFound } from '../base/errors.ts'
import type { ObjectModel } from '../model/attributes/models.ts'
import {
  type ConflictFacts,
  databaseFaults,
  errorOf,
  type RowFailure,
  withFaults,
} from '../records/bulk/row-faults.ts'
import type { CheckedBulkRow } from '../records/bulk/waves.ts'
import { slugOfNumber, takenFault } from '../records/write/conflicts.ts'
import { touchedUniques } from '../records/write/service.ts'
import { type HeldValue, type UniqueValue, uniqueKey } from '../records/write/store.ts'
import type { ClaimHolder, HolderRow } from './claims-store.ts'

export type DryOutcome = 'created' | 'updated' | AppError

/** The holders of unique values, while rows take and release values. */
export class Holders {
  readonly #holders = new Map<string, ClaimHolder | undefined>()
  readonly #held = new Map<string, Map<string, UniqueValue>>()
  readonly #changed = new Map<string, HolderRow>()

  constructor(rows: readonly HolderRow[], held: readonly HeldValue[]) {
    for (const { holder, line, ...value } of rows)
      this.#holders.set(uniqueKey(value), holder === null ? undefined : { id: holder, line })
    for (const { id, ...value } of held) this.#heldBy(id).set(uniqueKey(value), value)
  }

  #heldBy(id: string): Map<string, UniqueValue> {
    const held = this.#held.get(id) ?? new Map()
    this.#held.set(id, held)
    return held
  }

  of(value: UniqueValue): ClaimHolder | undefined {
    return this.#holders.get(uniqueKey(value))
  }

  #set({ attr, value }: UniqueValue, holder: ClaimHolder | undefined): void {
    const key = uniqueKey({ attr, value })
    this.#holders.set(key, holder)
    this.#changed.set(key, { attr, value, holder: holder?.id ?? null, line: holder?.line ?? null })
  }

  /** Replaces the holder's values of the attributes `attrs` by `values`. */
  replace(holder: ClaimHolder, attrs: readonly number[], values: readonly UniqueValue[]): void {
    const held = this.#heldBy(holder.id)
    for (const [key, value] of held)
      if (attrs.includes(value.attr)) {
        held.delete(key)
        this.#set(value, undefined)
      }
    for (const { attr, value } of values) {
      held.set(uniqueKey({ attr, value }), { attr, value })
      this.#set({ attr, value }, holder)
    }
  }

  /** The values whose holder has changed. */
  get changed(): HolderRow[] {
    return [...this.#changed.values()]
  }
}

export interface ImportDryRun {
  model: ObjectModel
  holders: Holders
  /** Those ids in the rows that belong to existing records. */
  existing: ReadonlySet<string>
  /** References to missing records, by targetKey. */
  missing: ReadonlySet<string>
  lineOf(row: CheckedBulkRow): number
}

function takenBy({ model, holders }: ImportDryRun, value: UniqueValue): RowFault {
  const { id = '', line = null } = holders.of(value) ?? {}
  const slug = slugOfNumber(model, value.attr)
  if (line === null) return takenFault(slug, id)
  return {
    path: `data.${slug}`,
    code: 'unique_violation',
    message: `line ${line} has the same value: change one of them`,
  }
}

const knownTo = (run: ImportDryRun): ConflictFacts => ({
  holderOf: (value) => run.holders.of(value)?.id,
  taken: (value) => takenBy(run, value),
  existing: run.existing,
  missing: run.missing,
})

/** The record that a row updates; undefined if it creates one, or names one that does not exist. */
function meant({ holders, existing }: ImportDryRun, { id, match }: CheckedBulkRow): ClaimHolder | undefined {
  if (id !== undefined) return existing.has(id) ? { id, line: null } : undefined
  return match && holders.of(match)
}

const refusal = ({ error, wanted }: RowFailure, run: ImportDryRun): AppError =>
  wanted ? withFaults(error, databaseFaults(run.model, wanted, knownTo(run))) : error

/** Simulates one row. All earlier rows must have been simulated before. */
export function tryRow(run: ImportDryRun, row: CheckedBulkRow | RowFailure): DryOutcome {
  if ('error' in row) return refusal(row, run)
  const { index, id, match, patch } = row
  const record = meant(run, row)
  const draft = (record ? patch : row.create) ?? notFound('record')
  if (draft instanceof AppError)
    return refusal({ index, error: draft, wanted: patch && { ...patch, id, match } }, run)
  const refused = errorOf([...databaseFaults(run.model, { ...draft, id, match }, knownTo(run))])
  if (refused) return refused
  const holder = record ?? { id: draft.id, line: run.lineOf(row) }
  run.holders.replace(holder, record ? touchedUniques(run.model, draft) : [], draft.uniques)
  return record ? 'updated' : 'created'
}
