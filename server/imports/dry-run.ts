// Simulates writing rows one after the other: a pure counterpart of records/bulk/waves.ts.
import type { RowFault } from '../../contract/records.ts'
import { AppError, notFound } from '../base/errors.ts'
import type { ObjectModel } from '../model/attributes/models.ts'
import { databaseFaults, errorOf, type Failure, type Known, withFaults } from '../records/bulk/row-faults.ts'
import type { Row } from '../records/bulk/waves.ts'
import { slugOf, takenFault } from '../records/write/conflicts.ts'
import { touchedUniques } from '../records/write/service.ts'
import { type HeldValue, type UniqueValue, uniqueKey } from '../records/write/store.ts'
import type { Holder, HolderRow } from './claims-store.ts'

export type DryOutcome = 'created' | 'updated' | AppError

/** The holders of unique values, while rows take and release values. */
export class Holders {
  readonly #holders = new Map<string, Holder | undefined>()
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

  of(value: UniqueValue): Holder | undefined {
    return this.#holders.get(uniqueKey(value))
  }

  #set({ attr, value }: UniqueValue, holder: Holder | undefined): void {
    const key = uniqueKey({ attr, value })
    this.#holders.set(key, holder)
    this.#changed.set(key, { attr, value, holder: holder?.id ?? null, line: holder?.line ?? null })
  }

  /** Replaces the holder's values of the attributes `attrs` by these. */
  replace(holder: Holder, attrs: readonly number[], values: readonly UniqueValue[]): void {
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

export interface DryRun {
  model: ObjectModel
  holders: Holders
  /** The existing records among those that rows name by id. */
  existing: ReadonlySet<string>
  /** References to missing records, by targetKey. */
  missing: ReadonlySet<string>
  lineOf(row: Row): number
}

function takenBy({ model, holders }: DryRun, value: UniqueValue): RowFault {
  const { id = '', line = null } = holders.of(value) ?? {}
  const slug = slugOf(model, value.attr)
  if (line === null) return takenFault(slug, id)
  return {
    path: `data.${slug}`,
    code: 'unique_violation',
    message: `line ${line} has the same value: change one of them`,
  }
}

const knownTo = (run: DryRun): Known => ({
  holderOf: (value) => run.holders.of(value)?.id,
  taken: (value) => takenBy(run, value),
  existing: run.existing,
  missing: run.missing,
})

/** The record that a row updates; undefined if it creates one, or names one that does not exist. */
function meant({ holders, existing }: DryRun, { id, match }: Row): Holder | undefined {
  if (id !== undefined) return existing.has(id) ? { id, line: null } : undefined
  return match && holders.of(match)
}

const refusal = ({ error, wanted }: Failure, run: DryRun): AppError =>
  wanted ? withFaults(error, databaseFaults(run.model, wanted, knownTo(run))) : error

/** Takes one row after all rows before it were taken. */
export function tryRow(run: DryRun, row: Row | Failure): DryOutcome {
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
