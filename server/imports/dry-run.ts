// Simulates writing rows one after the other: a pure counterpart of records/bulk-waves.ts.
import type { ObjectModel } from '../attributes/models.ts'
import { AppError, invalid, notFound } from '../errors.ts'
import type { Row } from '../records/bulk-waves.ts'
import { missingReferences, uniqueViolation } from '../records/conflicts.ts'
import { touchedUniques } from '../records/service.ts'
import type { Draft, HeldValue, UniqueValue } from '../records/write-store.ts'
import type { Holder, HolderRow } from './claims-store.ts'

export type DryOutcome = 'created' | 'updated' | AppError

const keyOf = ({ attr, value }: UniqueValue) => `${attr} ${value}`

/** The holders of unique values, while rows take and release values. */
export class Holders {
  readonly #holders = new Map<string, Holder | undefined>()
  readonly #held = new Map<string, Map<string, UniqueValue>>()
  readonly #changed = new Map<string, HolderRow>()

  constructor(rows: readonly HolderRow[], held: readonly HeldValue[]) {
    for (const { holder, line, ...value } of rows)
      this.#holders.set(keyOf(value), holder === null ? undefined : { id: holder, line })
    for (const { id, ...value } of held) this.#heldBy(id).set(keyOf(value), value)
  }

  #heldBy(id: string): Map<string, UniqueValue> {
    const held = this.#held.get(id) ?? new Map()
    this.#held.set(id, held)
    return held
  }

  of(value: UniqueValue): Holder | undefined {
    return this.#holders.get(keyOf(value))
  }

  #set({ attr, value }: UniqueValue, holder: Holder | undefined): void {
    const key = keyOf({ attr, value })
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
      held.set(keyOf({ attr, value }), { attr, value })
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

function takenBy(model: ObjectModel, value: UniqueValue, { id, line }: Holder): AppError {
  if (line === null) return uniqueViolation(model, { ...value, id })
  const slug = [...model.attributes.values()].find(({ attr }) => attr === value.attr)?.slug ?? ''
  const message = `line ${line} has the same value`
  return new AppError('unique_violation', `${slug}: ${message}`, {
    errors: [{ path: `data.${slug}`, code: 'unique_violation', message }],
  })
}

/** The record that a row updates; undefined if it creates one. */
function meant({ holders, existing }: DryRun, row: Row): Holder | undefined | AppError {
  if (row.id !== undefined) return existing.has(row.id) ? { id: row.id, line: null } : notFound('record')
  return row.match && holders.of(row.match)
}

function refusal(run: DryRun, draft: Draft, id: string): AppError | undefined {
  const { model, holders, missing } = run
  const problems = missingReferences(model, draft, missing)
  if (problems.length > 0) return invalid('validation_error', problems)
  for (const value of draft.uniques) {
    const holder = holders.of(value)
    if (holder && holder.id !== id) return takenBy(model, value, holder)
  }
  return undefined
}

/** Takes one row after all rows before it were taken. */
export function tryRow(run: DryRun, row: Row): DryOutcome {
  const record = meant(run, row)
  if (record instanceof AppError) return record
  const draft = record ? row.patch : row.create
  if (!draft || draft instanceof AppError) return draft ?? notFound('record')
  const holder = record ?? { id: draft.id, line: run.lineOf(row) }
  const refused = refusal(run, draft, holder.id)
  if (refused) return refused
  run.holders.replace(holder, record ? touchedUniques(run.model, draft) : [], draft.uniques)
  return record ? 'updated' : 'created'
}
