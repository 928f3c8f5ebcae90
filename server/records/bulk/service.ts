// Up to 100 records in one request. The result is the same as if the rows were sent one after the other.

import type { Problem } from '../../../contract/errors.ts'
import type { BulkResult, BulkWrite, FailedRow } from '../../../contract/records.ts'
import type { Caller } from '../../base/caller.ts'
import { isUniqueViolation } from '../../base/error-code.ts'
import { AppError, invalid } from '../../base/errors.ts'
import { createYield } from '../../base/event-loop.ts'
import { isObject } from '../../base/json.ts'
import type { Db } from '../../db/pool.ts'
import { allOrNothing, NOTHING_WRITTEN, type NothingWritten } from '../../db/scope.ts'
import { type ObjectModel, requireCurrent, withModel } from '../../model/attributes/models.ts'
import { requireActive } from '../read/record-of.ts'
import { isAnyTaken } from '../write/claims.ts'
import type { RecordWriteContext } from '../write/context.ts'
import { insertRecords } from '../write/insert-store.ts'
import { PendingTargets } from '../write/pending-targets.ts'
import { referring, withReferences } from '../write/references.ts'
import type { RecordDraft } from '../write/store.ts'
import { updateKnown } from './known-updates.ts'
import { ownParts } from './own-references.ts'
import { checkRow, matchAttribute, readRow } from './row-checks.ts'
import {
  nameFaults,
  type RowFailure,
  type ShownFailure,
  type ShownFaults,
  shownFailures,
} from './row-faults.ts'
import { type BulkOutcome, type CheckedBulkRow, runWaves } from './waves.ts'

const isDraft = (draft: RecordDraft | AppError): draft is RecordDraft => !(draft instanceof AppError)

/**
 * With more rows, unique values are checked before the insert: a taken value would roll back all rows, and leave dead
 * index rows.
 */
const FEW = 100

/** One statement for rows that are all new and have no conflicts. */
async function insertAll(
  ctx: RecordWriteContext,
  caller: Caller,
  model: ObjectModel,
  rows: readonly CheckedBulkRow[],
): Promise<BulkOutcome[] | NothingWritten> {
  const drafts = rows.map(({ create }) => create).filter(isDraft)
  if (drafts.length > FEW && (await isAnyTaken(ctx.db, model.org, drafts))) return NOTHING_WRITTEN
  try {
    const inserted = await ctx.db.attempt((db) => insertRecords(db, caller, model, drafts))
    if (typeof inserted !== 'number') return NOTHING_WRITTEN
  } catch (error) {
    if (isUniqueViolation(error)) return NOTHING_WRITTEN
    throw error
  }
  return rows.map(({ index }, place) => ({ index, id: drafts[place]?.id ?? '', status: 'created' }))
}

/** The common cases, one statement each: all rows are new, or each row updates a different record. */
const writeInOneStatement = (
  ctx: RecordWriteContext,
  caller: Caller,
  model: ObjectModel,
  rows: readonly CheckedBulkRow[],
): Promise<BulkOutcome[] | NothingWritten> =>
  allOrNothing(ctx.db.scope, () =>
    rows.every(({ patch }) => !patch)
      ? insertAll(ctx, caller, model, rows)
      : updateKnown(ctx.db, caller, model, rows),
  )

const SENT_ID_CHARACTERS_MAX = 200

/** The id of a row as it was sent, by which the caller can identify the row. */
function sentId({ mode, records }: BulkWrite, index: number): string | null {
  const row = records[index]
  const id = mode === 'upsert' && isObject(row) ? row['id'] : undefined
  return typeof id === 'string' && id.length <= SENT_ID_CHARACTERS_MAX ? id : null
}

/** The slug of the first attribute with a fault. */
function faultyAttribute({ details = {} }: AppError): string | undefined {
  if (typeof details['attributeSlug'] === 'string') return details['attributeSlug']
  const problems = Array.isArray(details['errors']) ? (details['errors'] as Problem[]) : []
  return problems.flatMap(({ path }) => /^data\.([^.[]+)/.exec(path)?.[1] ?? [])[0]
}

/** The shown faults, and the number of omitted faults if there are any. */
const detailsOf = ({ errors, more }: ShownFaults) => ({ errors, ...(more > 0 && { moreErrors: more }) })

/** @param isWhole includes the details of a single fault too */
function failedRow(body: BulkWrite, { index, error, ...shown }: ShownFailure, isWhole = false): FailedRow {
  const [attribute, id] = [faultyAttribute(error), sentId(body, index)]
  const existingRecordId = error.details?.['existingRecordId']
  return {
    ...{ index, error: error.message, code: error.code },
    ...(attribute !== undefined && { attribute }),
    ...(typeof existingRecordId === 'string' && { existingRecordId }),
    ...(id !== null && { id }),
    ...((isWhole || shown.errors.length + shown.more > 1) && { details: detailsOf(shown) }),
  }
}

const inRequest = (index: number, { path, code, message }: Problem): Problem => ({
  path: path === '' ? `records[${index}]` : `records[${index}].${path}`,
  code,
  message,
})

const isFailure = (outcome: BulkOutcome): outcome is RowFailure => 'error' in outcome

/** With allOrNone one failure fails the request: 409 for a unique value, else 400. */
function refuseAny(body: BulkWrite, outcomes: readonly BulkOutcome[]): void {
  const failures = outcomes.filter(isFailure).sort((a, b) => a.index - b.index)
  if (failures.length === 0) return
  const shown = shownFailures(failures)
  const failed = shown.map((failure) => failedRow(body, failure))
  const errors = shown.flatMap((failure) => failure.errors.map((fault) => inRequest(failure.index, fault)))
  const all = detailsOf({ errors, more: shown.reduce((sum, { more }) => sum + more, 0) })
  const taken = failures.find(({ error }) => error.code === 'unique_violation')
  if (taken) {
    const { message, details } = taken.error
    throw new AppError('unique_violation', message, { ...details, ...all, failed })
  }
  const { message } = invalid('validation_error', errors)
  throw new AppError('validation_error', message, { ...all, failed })
}

/** The records that rows create, with the index of the row. */
const createdBy = (outcomes: readonly BulkOutcome[]): Map<string, number> =>
  new Map(
    outcomes.flatMap((one) => ('status' in one && one.status === 'created' ? [[one.id, one.index]] : [])),
  )

/** The outcomes, with all faults of failed rows. @throws AppError with allOrNone, if a row failed */
async function settled(
  db: Db,
  model: ObjectModel,
  { body, pending, isPart }: Pick<CheckedRows, 'body' | 'pending' | 'isPart'>,
  outcomes: readonly BulkOutcome[],
): Promise<BulkOutcome[]> {
  const failures = outcomes.filter(isFailure)
  if (failures.length === 0 || isPart) return [...outcomes]
  const undone = body.allOrNone ? createdBy(outcomes) : new Map<string, number>()
  const named = await nameFaults(db, model, { failures, undone, pending })
  if (body.allOrNone) refuseAny(body, named)
  return [...outcomes.filter((outcome) => !isFailure(outcome)), ...named]
}

interface CheckedRows {
  rows: CheckedBulkRow[]
  failed: RowFailure[]
  body: BulkWrite
  /** Records to create for the references of rows. */
  pending: PendingTargets
  hasExchanges: boolean
  /** Further rows of the request follow: faults are named after the last one. */
  isPart?: boolean
}

/** Writes checked rows. @returns one outcome per row; a failed row has all its faults */
export async function writeRows(
  ctx: RecordWriteContext,
  caller: Caller,
  model: ObjectModel,
  checked: CheckedRows,
): Promise<BulkOutcome[]> {
  const { rows, failed, body, pending, hasExchanges } = checked
  const { allOrNone = false } = body
  // No statement has checked the version of the model, so it is checked before rows are rejected.
  if (rows.length === 0) {
    await requireCurrent(ctx.db, model)
    return settled(ctx.db, model, checked, failed)
  }
  // A refused request lists the faults of all its rows, so the valid rows are written and then rolled back.
  const isRefused = allOrNone && failed.length > 0
  const canBeOneStatement = !isRefused && pending.isEmpty
  const written = canBeOneStatement ? await writeInOneStatement(ctx, caller, model, rows) : NOTHING_WRITTEN
  if (written !== NOTHING_WRITTEN) return settled(ctx.db, model, checked, [...written, ...failed])
  return ctx.db.transaction(async (tx) => {
    const outcomes = await runWaves(tx, caller, model, { rows, pending, hasExchanges })
    return settled(tx, model, checked, [...outcomes, ...failed])
  })
}

/** Uses one transaction: if the search for faults fails, the written rows are rolled back. */
const writeAndName = (ctx: RecordWriteContext, caller: Caller, model: ObjectModel, checked: CheckedRows) =>
  checked.failed.length === 0 || checked.rows.length === 0
    ? writeRows(ctx, caller, model, checked)
    : ctx.db.transaction((tx) => writeRows({ ...ctx, db: tx }, caller, model, checked))

/** The unchecked data of the rows. */
const dataOf = ({ records }: BulkWrite): unknown[] =>
  records.map((row: unknown) => (isObject(row) ? row['data'] : undefined))

export interface Written extends BulkResult {
  /** Indexes of updated rows that changed nothing; not in the response. */
  unchanged: ReadonlySet<number>
}

function summarize(body: BulkWrite, outcomes: BulkOutcome[], isWhole: boolean): Written {
  const sorted = outcomes.sort((a, b) => a.index - b.index)
  const count = (status: string) => {
    let found = 0
    for (const outcome of sorted) if ('status' in outcome && outcome.status === status) found++
    return found
  }
  return {
    created: count('created'),
    updated: count('updated'),
    unchanged: new Set(sorted.flatMap((one) => ('status' in one && one.isUnchanged ? [one.index] : []))),
    failed: shownFailures(sorted.filter(isFailure)).map((failure) => failedRow(body, failure, isWhole)),
    results: sorted.map((outcome) =>
      isFailure(outcome)
        ? { index: outcome.index, id: sentId(body, outcome.index), status: 'failed' as const }
        : { index: outcome.index, id: outcome.id, status: outcome.status },
    ),
  }
}

interface BulkOptions {
  /** Whether rows may exchange unique values; false for files, whose rows apply in their order. */
  hasExchanges?: boolean
  /** Known problems of rows, by index: these rows fail. */
  problems?: ReadonlyMap<number, readonly Problem[]> | undefined
  /** Failed rows have details even for a single fault. */
  hasAllDetails?: boolean
}

interface Request extends Pick<BulkOptions, 'problems'> {
  body: BulkWrite
  hasExchanges: boolean
  /** Shared by the parts of the request. */
  pending: PendingTargets
}

/** @param places of the rows to check */
async function checkRows(
  ctx: RecordWriteContext,
  caller: Caller,
  model: ObjectModel,
  { body, problems, ...request }: Request,
  places: readonly number[],
): Promise<Pick<CheckedRows, 'rows' | 'failed' | 'pending'>> {
  const how = { mode: body.mode, attribute: matchAttribute(model, body) }
  requireActive(model)
  const rows: CheckedBulkRow[] = []
  const failed: RowFailure[] = []
  const yieldIfDue = createYield()
  const asked = { model, createMissing: body.createMissing, pending: request.pending }
  const all = dataOf(body)
  const data = places.map((place) => all[place])
  const { locale, pending } = await withReferences(ctx, caller, asked, data)
  for (const index of places) {
    const due = yieldIfDue()
    if (due) await due
    const input = readRow(body.records[index], index, body.mode)
    const known = problems?.get(index)
    const whole = known && !('error' in input) ? { ...input, problems: known } : input
    const row = 'error' in whole ? whole : checkRow(model, locale, whole, how)
    if ('error' in row) failed.push(row)
    else rows.push(row)
  }
  return { rows, failed, pending }
}

/** Checks and writes the rows. With several parts, the caller has opened a transaction. */
async function writeParts(
  ctx: RecordWriteContext,
  caller: Caller,
  model: ObjectModel,
  request: Request,
): Promise<BulkOutcome[]> {
  const { body, hasExchanges } = request
  const parts = await ownParts(ctx, caller, model, { ...body, matched: matchAttribute(model, body) })
  const check = async (places: readonly number[]) => ({
    ...(await checkRows(ctx, caller, model, request, places)),
    ...{ body, hasExchanges },
  })
  const { changeSetId } = body
  const author = changeSetId === undefined ? caller : { ...caller, changeSet: changeSetId.toLowerCase() }
  const [first = [], ...later] = parts
  if (later.length === 0) return writeAndName(ctx, author, model, await check(first))
  const outcomes: BulkOutcome[] = []
  for (const places of parts)
    outcomes.push(...(await writeRows(ctx, author, model, { ...(await check(places)), isPart: true })))
  return settled(ctx.db, model, request, outcomes)
}

/**
 * Creates or upserts (specification, "Bulk modes"; matchOn and allOrNone of decisions, section 1).
 * @throws 400 validation_error, 404 not_found, 409 object_inactive; with allOrNone also 409 unique_violation
 */
export function bulkWrite(
  ctx: RecordWriteContext,
  caller: Caller,
  objectRef: string,
  body: BulkWrite,
  { hasExchanges = true, problems, hasAllDetails = false }: BulkOptions = {},
): Promise<Written> {
  return withModel(ctx, caller.org, objectRef, (model) =>
    referring(ctx, model, dataOf(body), async (within) => {
      const request = { body, problems, hasExchanges, pending: new PendingTargets() }
      const outcomes = await writeParts(within, caller, model, request)
      return summarize(body, outcomes, hasAllDetails)
    }),
  )
}
