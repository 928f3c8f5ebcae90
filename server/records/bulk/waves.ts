// Writes a batch with conflicts, in set operations. Rows that touch the same record or the same unique value are in
// different waves, one after the other; rows of one wave are independent.
import sql from 'sql-template-tag'
import type { Caller } from '../../base/caller.ts'
import { AppError, attempt, invalid } from '../../base/errors.ts'
import type { Db } from '../../db/pool.ts'
import type { ObjectModel } from '../../model/attributes/models.ts'
import { findSuccessors, notFoundError } from '../read/successor.ts'
import type { StoredRecord } from '../rows/stored-record.ts'
import { hasBothKeys } from '../values/unique-keys.ts'
import { claimUniques, dropUniques, releaseUniques } from '../write/claims.ts'
import { missingReferences, uniqueViolation } from '../write/conflicts.ts'
import { insertRecords } from '../write/insert-store.ts'
import type { PendingTargets } from '../write/pending-targets.ts'
import { draftFor, replacedLinks, requireSize, touchedUniques } from '../write/service.ts'
import {
  holdersOf,
  lockRecords,
  lockTargets,
  type RecordDraft,
  replaceLinks,
  type UniqueValue,
  uniqueKey,
  updateRecords,
} from '../write/store.ts'
import { cyclesOf, type WaitingRow } from './cycles.ts'
import type { RowFailure, Wanted } from './row-faults.ts'

export interface CheckedBulkRow {
  index: number
  /** The draft of a new record, with its id. An upsert computes it on first access. */
  readonly create: RecordDraft | AppError
  /** The changes to an existing record; without an id if the record is matched by a value. */
  patch: RecordDraft | undefined
  /** The id that the caller sent. */
  id: string | undefined
  /** The unique value that identifies the record. */
  match: UniqueValue | undefined
}

interface WrittenRow {
  index: number
  id: string
  status: 'created' | 'updated'
  /** The record already had the values of the row, so it was not written. */
  isUnchanged?: true
}

export type BulkOutcome = WrittenRow | RowFailure

interface Step {
  row: CheckedBulkRow
  /** The draft of an update omits the unique value that its record is matched on. */
  draft: RecordDraft
  /** The existing record; undefined for a new one. */
  stored: StoredRecord | undefined
}

interface Wave {
  tx: Db
  caller: Caller
  model: ObjectModel
  outcomes: BulkOutcome[]
  /** Rows to repeat in the next wave, because the data they depend on has changed. */
  again: CheckedBulkRow[]
  /** Records to create for the references of rows. */
  pending: PendingTargets
  /** Updates that failed because another record has one of their unique values. */
  blocked: Blocked[]
}

interface Blocked extends WaitingRow {
  row: CheckedBulkRow
}

/** Reads the patch of an upsert: it has the same unique values as `create`, which is computed on demand. */
function uniquesOf(row: CheckedBulkRow): readonly UniqueValue[] {
  if (row.patch) return row.patch.uniques
  return row.create instanceof AppError ? [] : row.create.uniques
}

function keysOf(row: CheckedBulkRow): string[] {
  return [...uniquesOf(row).map(uniqueKey), ...(row.id === undefined ? [] : [row.id])]
}

/**
 * The attribute that an update is matched on: its record keeps this key. undefined while the rule about case changes:
 * the record then also has a key by the other rule, which may change.
 */
function keptAttr({ attributes }: ObjectModel, { match }: CheckedBulkRow): number | undefined {
  if (!match) return undefined
  const isChanging = attributes.values().some((one) => one.attr === match.attr && hasBothKeys(one))
  return isChanging ? undefined : match.attr
}

/** Unique attributes whose keys an update may release. */
function givenUp(model: ObjectModel, row: CheckedBulkRow): number[] {
  const kept = keptAttr(model, row)
  return row.patch ? touchedUniques(model, row.patch).filter((attr) => attr !== kept) : []
}

const wanted = (row: CheckedBulkRow): number[] => uniquesOf(row).map(({ attr }) => attr)

/**
 * Chooses rows that are independent of each other and of earlier rows that wait: each row must find the same values
 * free as if the rows ran in order.
 */
function takeWave(
  model: ObjectModel,
  rows: readonly CheckedBulkRow[],
): { wave: CheckedBulkRow[]; later: CheckedBulkRow[] } {
  const taken = new Set<string>()
  const wantedLater = new Set<number>()
  const freedLater = new Set<number>()
  const wave: CheckedBulkRow[] = []
  const later: CheckedBulkRow[] = []
  for (const row of rows) {
    const [keys, wants, frees] = [keysOf(row), wanted(row), givenUp(model, row)]
    const overtakes =
      frees.some((attr) => wantedLater.has(attr)) || wants.some((attr) => freedLater.has(attr))
    const waits = overtakes || keys.some((key) => taken.has(key))
    for (const key of keys) taken.add(key)
    if (waits) for (const attr of wants) wantedLater.add(attr)
    if (waits) for (const attr of frees) freedLater.add(attr)
    ;(waits ? later : wave).push(row)
  }
  return { wave, later }
}

/** For an upsert, the values of its patch: the new record has the same unique values and references. */
function wantedOf({ id, match, patch, create }: CheckedBulkRow): Wanted | undefined {
  const draft = patch ?? (create instanceof AppError ? undefined : create)
  return draft && { id, match, uniques: draft.uniques, links: draft.links }
}

function fail(wave: Wave, row: CheckedBulkRow, error: AppError): undefined {
  wave.outcomes.push({ index: row.index, error, wanted: wantedOf(row) })
}

/** The id of the record that each row updates; no entry for a row that creates a record. */
async function resolve(wave: Wave, rows: readonly CheckedBulkRow[]): Promise<Map<CheckedBulkRow, string>> {
  const wanted = rows.flatMap(({ match }) => match ?? [])
  const holders = await holdersOf(wave.tx, wave.model.org, wanted)
  const ids = new Map<CheckedBulkRow, string>()
  for (const row of rows) {
    const id = row.id ?? (row.match && holders.get(uniqueKey(row.match)))
    if (id !== undefined) ids.set(row, id)
  }
  return ids
}

async function lockStored(
  wave: Wave,
  ids: ReadonlyMap<CheckedBulkRow, string>,
): Promise<Map<string, StoredRecord>> {
  if (ids.size === 0) return new Map()
  const locked = await lockRecords(wave.tx, wave.model, [...new Set(ids.values())])
  return new Map(locked.map((stored) => [stored.id, stored]))
}

function withoutKept(model: ObjectModel, row: CheckedBulkRow, { uniques }: RecordDraft): UniqueValue[] {
  const kept = keptAttr(model, row)
  return uniques.filter(({ attr }) => attr !== kept)
}

function stepFor(wave: Wave, row: CheckedBulkRow, stored: StoredRecord | undefined): Step | undefined {
  if (stored && row.patch) {
    const uniques = withoutKept(wave.model, row, row.patch)
    const draft = draftFor(stored, { ...row.patch, id: stored.id, uniques })
    const refusal = attempt(() => requireSize(stored, draft))
    return refusal ? fail(wave, row, refusal) : { row, draft, stored }
  }
  if (!(row.create instanceof AppError)) return { row, draft: row.create, stored: undefined }
  return fail(wave, row, row.create)
}

/** Resolves each row to an update of a locked record or a new record. */
async function plan(wave: Wave, rows: readonly CheckedBulkRow[]): Promise<Step[]> {
  const ids = await resolve(wave, rows)
  const locked = await lockStored(wave, ids)
  // Before it was locked, a record could lose the value that it was found by.
  const sure = locked.size > 0 ? await resolve(wave, rows) : ids
  const used = new Set<string>()
  const missing = rows.flatMap(({ id }) => (id !== undefined && !locked.has(id) ? [id] : []))
  const successors = await findSuccessors(wave.tx, wave.model, missing)
  return rows.flatMap((row) => {
    const id = ids.get(row)
    const stored = id === undefined ? undefined : locked.get(id)
    if (row.id !== undefined && !stored) return fail(wave, row, notFoundError(successors.get(row.id))) ?? []
    const vanished = id !== undefined && (!stored || sure.get(row) !== id)
    if (vanished || (stored && used.has(stored.id))) {
      wave.again.push(row)
      return []
    }
    if (stored) used.add(stored.id)
    return stepFor(wave, row, stored) ?? []
  })
}

async function keepReferring(wave: Wave, steps: Step[]): Promise<Step[]> {
  const found = await lockTargets(
    wave.tx,
    wave.model.org,
    steps.map(({ draft }) => draft),
  )
  const missing = found.missing.difference(wave.pending.keys)
  if (missing.size === 0) return steps
  return steps.filter(({ row, draft }) => {
    const problems = missingReferences(wave.model, draft, missing)
    if (problems.length > 0) fail(wave, row, invalid('validation_error', problems))
    return problems.length === 0
  })
}

/** Takes the unique values of all rows. A row that does not get all its values releases the values it got. */
async function keepUnique(wave: Wave, steps: Step[]): Promise<Step[]> {
  const { org } = wave.model
  const claimed = await claimUniques(
    wave.tx,
    org,
    steps.map(({ draft }) => draft),
  )
  const { lost } = claimed
  // Only an earlier row can release the value, as if the rows were sent one after the other.
  const changing = new Map(steps.map(({ row, stored }) => [stored?.id, row.index]))
  const out = steps.filter(({ draft }) => lost.has(draft.id))
  for (const { row, draft, stored } of out) {
    const conflict = lost.get(draft.id)
    const isMatch = !stored && row.match?.attr === conflict?.attr && row.match?.value === conflict?.value
    if (!conflict?.holder || isMatch || (changing.get(conflict.holder) ?? row.index) < row.index)
      wave.again.push(row)
    else {
      if (stored) wave.blocked.push({ row, id: stored.id, holder: conflict.holder })
      fail(wave, row, uniqueViolation(wave.model, { ...conflict, id: conflict.holder }))
    }
  }
  await releaseUniques(wave.tx, org, claimed)
  return steps.filter(({ draft }) => !lost.has(draft.id))
}

/** Runs after all checks, so that referenced records are created only for rows that are written. */
const createTargets = ({ tx, caller, pending }: Wave, steps: readonly Step[]): Promise<void> =>
  pending.createFor(
    tx,
    caller,
    steps.map(({ draft }) => draft),
  )

async function insert(wave: Wave, steps: readonly Step[]): Promise<void> {
  if (steps.length === 0) return
  const drafts = steps.map(({ draft }) => ({ ...draft, uniques: [] }))
  const inserted = await insertRecords(wave.tx, wave.caller, wave.model, drafts)
  if (typeof inserted !== 'number') throw new Error('A locked record is missing')
  for (const { row, draft } of steps)
    wave.outcomes.push({ index: row.index, id: draft.id, status: 'created' })
}

async function update(wave: Wave, steps: readonly (Step & { stored: StoredRecord })[]): Promise<void> {
  if (steps.length === 0) return
  const { tx, caller, model } = wave
  const drafts = steps.map(({ draft }) => draft)
  await dropUniques(
    tx,
    model.org,
    steps.map(({ row, draft }) => ({ draft, attrs: givenUp(model, row) })),
  )
  const removed = steps.flatMap(({ draft, stored }) => replacedLinks(model, stored, draft))
  await replaceLinks(tx, model.org, { removed, drafts })
  const written = new Set((await updateRecords(tx, caller, model, drafts)).map(({ id }) => id))
  for (const { row, draft } of steps) {
    const outcome = { index: row.index, id: draft.id, status: 'updated' as const }
    wave.outcomes.push(written.has(draft.id) ? outcome : { ...outcome, isUnchanged: true })
  }
}

const isUpdate = (step: Step): step is Step & { stored: StoredRecord } => step.stored !== undefined

async function runWave(wave: Wave, rows: readonly CheckedBulkRow[]): Promise<void> {
  const planned = await plan(wave, rows)
  const steps = await keepUnique(wave, await keepReferring(wave, planned))
  await createTargets(wave, steps)
  await insert(
    wave,
    steps.filter((step) => !isUpdate(step)),
  )
  await update(wave, steps.filter(isUpdate))
}

/**
 * Batches with several waves take locks in different orders. So only one of them runs per object, and it locks its
 * records first, in the common order. Otherwise they would deadlock until all retries fail.
 */
async function lockAhead(wave: Wave, rows: readonly CheckedBulkRow[]): Promise<void> {
  const { org, obj } = wave.model
  await wave.tx.run(sql`select pg_advisory_xact_lock(${org}::int, ${obj}::int)`)
  await lockStored(wave, await resolve(wave, rows))
}

class StillTaken extends Error {}

/** Updates records together: releases the old unique values of all, then takes the new ones. @throws StillTaken */
async function writeTogether(wave: Wave, rows: readonly CheckedBulkRow[]): Promise<void> {
  const steps = (await keepReferring(wave, await plan(wave, rows))).filter(isUpdate)
  if (steps.length < rows.length) throw new StillTaken()
  const changes = steps.map(({ row, draft }) => ({ draft, attrs: givenUp(wave.model, row) }))
  await dropUniques(wave.tx, wave.model.org, changes)
  const { lost } = await claimUniques(
    wave.tx,
    wave.model.org,
    steps.map(({ draft }) => draft),
  )
  if (lost.size > 0) throw new StillTaken()
  await createTargets(wave, steps)
  await update(wave, steps)
}

/** Writes rows that exchange unique values together: one after the other, they fail. */
async function exchange(wave: Wave, cycle: readonly Blocked[]): Promise<void> {
  const rows = cycle.map(({ row }) => row)
  const together = { ...wave, outcomes: [], again: [], blocked: [] }
  try {
    await wave.tx.transaction((tx) => writeTogether({ ...together, tx }, rows))
  } catch (error) {
    if (error instanceof StillTaken) return
    throw error
  }
  const written = new Set(rows.map(({ index }) => index))
  const others = wave.outcomes.filter(({ index }) => !written.has(index))
  wave.outcomes.splice(0, wave.outcomes.length, ...others, ...together.outcomes)
}

/** Whether a later row wrote one of the records: the exchange would overwrite the later change. */
const isOvertaken = (outcomes: readonly BulkOutcome[], cycle: readonly Blocked[]): boolean =>
  cycle.some(({ id, row }) =>
    outcomes.some((one) => 'status' in one && one.id === id && one.index > row.index),
  )

/** Each wave completes at least its first row unless other writers interfere: the limit only guards against a bug. */
const WAVES_PER_ROW = 20

interface Batch extends Pick<Wave, 'pending'> {
  rows: readonly CheckedBulkRow[]
  hasExchanges: boolean
}

/**
 * @param batch hasExchanges: also writes rows that exchange unique values, which fail one after the other
 * @returns one outcome per row, in no particular order @throws StaleModel
 */
export async function runWaves(
  tx: Db,
  caller: Caller,
  model: ObjectModel,
  { rows, pending, hasExchanges }: Batch,
): Promise<BulkOutcome[]> {
  const outcomes: BulkOutcome[] = []
  const blocked: Blocked[] = []
  let waiting: CheckedBulkRow[] = [...rows]
  for (let left = rows.length * WAVES_PER_ROW; waiting.length > 0; left--) {
    if (left === 0) throw new Error('The batch does not settle')
    const { wave, later } = takeWave(model, waiting)
    const current: Wave = { tx, caller, model, pending, outcomes, again: [], blocked }
    if (waiting.length === rows.length && later.length > 0) await lockAhead(current, rows)
    await runWave(current, wave)
    waiting = [...current.again, ...later].sort((a, b) => a.index - b.index)
  }
  if (!hasExchanges) return outcomes
  for (const cycle of cyclesOf(blocked).filter((one) => !isOvertaken(outcomes, one)))
    await exchange({ tx, caller, model, pending, outcomes, again: [], blocked: [] }, cycle)
  return outcomes
}
