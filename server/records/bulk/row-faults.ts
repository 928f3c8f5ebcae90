// Finds all faults of failed rows: invalid values, and conflicts that only the database finds.
import type { Problem } from '../../../contract/errors.ts'
import type { RowFault } from '../../../contract/records.ts'
import { AppError } from '../../base/errors.ts'
import { createYield } from '../../base/event-loop.ts'
import type { Db } from '../../db/pool.ts'
import type { ObjectModel } from '../../model/attributes/models.ts'
import { missingReferences, slugOfNumber, takenFault } from '../write/conflicts.ts'
import { selectExisting, selectMissing } from '../write/existing-store.ts'
import type { PendingTargets } from '../write/pending-targets.ts'
import { holdersOf, type RecordDraft, type UniqueValue, uniqueKey } from '../write/store.ts'

/** The ids, unique values and references of a row that the database checks. */
export interface Wanted extends Pick<RecordDraft, 'uniques' | 'links'> {
  /** The id that the caller sent. */
  id: string | undefined
  /** The unique value that identifies the record. */
  match: UniqueValue | undefined
  /** Further problems if no record has the value of `match`. */
  createProblems?: (() => readonly Problem[]) | undefined
}

export interface RowFailure {
  index: number
  error: AppError
  wanted?: Wanted | undefined
}

export const NO_SUCH_RECORD: Problem = {
  path: 'id',
  code: 'not_found',
  message: 'must be the id of a record of this object: leave it out to create one',
}

/** The records and values in the database that decide whether rows have conflicts. */
export interface ConflictFacts {
  holderOf(value: UniqueValue): string | undefined
  /** The fault of a value that is taken by a record of the same request which is rolled back. */
  taken?(value: UniqueValue): RowFault | undefined
  existing: ReadonlySet<string>
  /** References to missing records, by targetKey. */
  missing: ReadonlySet<string>
}

async function knownOf(
  db: Db,
  model: ObjectModel,
  { rows, pending }: { rows: readonly Wanted[]; pending: PendingTargets },
): Promise<ConflictFacts> {
  const ids = rows.flatMap(({ id }) => id ?? [])
  const values = new Map(rows.flatMap(({ uniques }) => uniques).map((value) => [uniqueKey(value), value]))
  const holders = await holdersOf(db, model.org, [...values.values()])
  return {
    holderOf: (value) => holders.get(uniqueKey(value)),
    existing: await selectExisting(db, model, ids),
    missing: (await selectMissing(db, model.org, rows)).difference(pending.keys),
  }
}

/** The faults of a row that only the database finds. */
export function* databaseFaults(
  model: ObjectModel,
  wanted: Wanted,
  known: ConflictFacts,
): Generator<RowFault> {
  const { id, match, uniques, createProblems } = wanted
  if (id !== undefined && !known.existing.has(id)) yield NO_SUCH_RECORD
  const own = id ?? (match && known.holderOf(match))
  if (own === undefined && createProblems) yield* createProblems()
  yield* missingReferences(model, wanted, known.missing)
  for (const value of uniques) {
    const holder = known.holderOf(value)
    if (holder !== undefined && holder !== own)
      yield known.taken?.(value) ?? takenFault(slugOfNumber(model, value.attr), holder)
  }
}

/** The faults of the error of a row, with paths relative to the row. */
export function faultsOf({ code, message, details = {} }: AppError): RowFault[] {
  const { errors, attributeSlug, existingRecordId } = details
  if (Array.isArray(errors)) return errors as RowFault[]
  if (typeof attributeSlug === 'string' && typeof existingRecordId === 'string')
    return [takenFault(attributeSlug, existingRecordId)]
  return [{ path: code === 'not_found' ? 'id' : '', code, message }]
}

const SHOWN_FAULTS_MAX = 10

function textOf(faults: readonly RowFault[]): string {
  const shown = faults
    .slice(0, SHOWN_FAULTS_MAX)
    .map(({ path, message }) => (path ? `${path}: ${message}` : message))
    .join('; ')
  const more = faults.length - SHOWN_FAULTS_MAX
  return more > 0 ? `${shown}; and ${more} more` : shown
}

/** Adds other faults of the same row to the error. The error keeps its code. */
export function withFaults(error: AppError, more: Iterable<RowFault>): AppError {
  const faults = new Map<string, RowFault>()
  for (const fault of [...faultsOf(error), ...more]) {
    const key = `${fault.path} ${fault.code} ${fault.existingRecordId}`
    if (!faults.has(key)) faults.set(key, fault)
  }
  if (faults.size < 2) return error
  const errors = [...faults.values()]
  return new AppError(error.code, textOf(errors), { ...error.details, errors })
}

/** The error of a row with valid values; undefined without faults. */
export function errorOf(faults: readonly RowFault[]): AppError | undefined {
  if (faults.length === 0) return undefined
  const isConflict = faults.every(({ code }) => code === 'unique_violation')
  const code = isConflict ? 'unique_violation' : 'validation_error'
  return new AppError(code, textOf(faults), { errors: faults })
}

/** Adds problems at other paths. A further problem at the same path follows from the known problem. */
export const besides = (known: readonly Problem[], others: readonly Problem[]): Problem[] => [
  ...known,
  ...others.filter(({ path }) => !known.some((one) => one.path === path)),
]

/** Records that are rolled back with their request, by id, with the index of their row. */
export type Undone = ReadonlyMap<string, number>

const sameAs = (slug: string, index: number): RowFault => ({
  path: `data.${slug}`,
  code: 'unique_violation',
  message: `records[${index}] has the same value: change one of them`,
})

/** Names the row instead of the record if the error names a record that is rolled back. */
function withoutUndone(error: AppError, undone: Undone): AppError {
  const { attributeSlug, existingRecordId } = error.details ?? {}
  const index = undone.get(String(existingRecordId))
  if (index === undefined || typeof attributeSlug !== 'string') return error
  const fault = sameAs(attributeSlug, index)
  return new AppError(error.code, `${attributeSlug}: ${fault.message}`, { attributeSlug, errors: [fault] })
}

/** Limit for all rows of a response, so that a small request does not get a very large response. */
export const SHOWN_ERRORS_MAX = 500

export interface ShownFaults {
  errors: RowFault[]
  /** Number of omitted faults. */
  more: number
}

export type ShownFailure = Pick<RowFailure, 'index' | 'error'> & ShownFaults

/** Selects the faults that the response shows: the first fault of each row, and further faults up to the limit. */
export function shownFailures(failures: readonly RowFailure[]): ShownFailure[] {
  let room = Math.max(0, SHOWN_ERRORS_MAX - failures.length)
  return failures.map(({ index, error }) => {
    const all = faultsOf(error)
    const errors = all.slice(0, 1 + room)
    room -= errors.length - 1
    return { index, error, errors, more: all.length - errors.length }
  })
}

interface Failures {
  failures: readonly RowFailure[]
  undone: Undone
  /** Records that were to be created for the references of rows. */
  pending: PendingTargets
}

/** The failed rows, each with all its faults. */
export async function nameFaults(
  db: Db,
  model: ObjectModel,
  { failures, undone, pending }: Failures,
): Promise<RowFailure[]> {
  const asked = failures.flatMap(({ wanted }) => wanted ?? [])
  const known = await knownOf(db, model, { rows: asked, pending })
  const taken = (value: UniqueValue) => {
    const index = undone.get(known.holderOf(value) ?? '')
    return index === undefined ? undefined : sameAs(slugOfNumber(model, value.attr), index)
  }
  const yieldIfDue = createYield()
  const named: RowFailure[] = []
  for (const { index, error, wanted } of failures) {
    const due = yieldIfDue()
    if (due) await due
    const more = wanted ? databaseFaults(model, wanted, { ...known, taken }) : []
    named.push({ index, error: withFaults(withoutUndone(error, undone), more) })
  }
  return named
}
