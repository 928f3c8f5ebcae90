// Up to 100 records in one request. The result is the same as if the rows were sent one after the other.

import { isUuid } from '../../../contract/common.ts'
import type { Problem } from '../../../contract/errors.ts'
import { type BulkResult, BulkRow, type BulkWrite, type FailedRow } from '../../../contract/records.ts'
import type { Caller } from '../../base/caller.ts'
import { isUniqueViolation } from '../../base/error-code.ts'
import { AppError, attempt, invalid, invalidField, notFound } from '../../base/errors.ts'
import { createYield } from '../../base/event-loop.ts'
import { newId } from '../../base/id.ts'
import { isObject } from '../../base/json.ts'
import type { Db } from '../../db/pool.ts'
import { allOrNothing, NOTHING_WRITTEN, type NothingWritten } from '../../db/scope.ts'
import { shapeCheck } from '../../http/validate.ts'
import {
  type ModelAttribute,
  type ObjectModel,
  requireCurrent,
  withModel,
} from '../../model/attributes/models.ts'
import { requireActive } from '../read/record-of.ts'
import { checkData } from '../validation/values.ts'
import { isAnyTaken } from '../write/claims.ts'
import type { RecordWriteContext } from '../write/context.ts'
import { type Checked, claimsOf, draftOf, newDraft, newDraftOf } from '../write/drafts.ts'
import { insertRecords } from '../write/insert-store.ts'
import { withLookups } from '../write/sent-values.ts'
import type { Draft } from '../write/store.ts'
import { updateKnown } from './known-updates.ts'
import {
  besides,
  type Failure,
  NO_SUCH_RECORD,
  nameFaults,
  type ShownFailure,
  type ShownFaults,
  shownFailures,
  type Wanted,
} from './row-faults.ts'
import { type Outcome, type Row, runWaves } from './waves.ts'

interface Input {
  index: number
  /** The record to update; null and undefined name none. */
  id?: string | null | undefined
  data: unknown
  /** Problems of the row that are already known. */
  problems?: readonly Problem[] | undefined
}

type How = Pick<BulkWrite, 'mode' | 'matchOn'>

export function matchAttribute(model: ObjectModel, { mode, matchOn }: How): ModelAttribute | undefined {
  if (matchOn === undefined) return undefined
  if (mode !== 'upsert')
    throw invalidField(
      'matchOn',
      'needs_upsert',
      'is only allowed with mode upsert: leave it out, or send mode upsert',
    )
  const attribute = model.attributes.get(matchOn)
  if (attribute?.isUnique && !attribute.isList) return attribute
  throw invalidField('matchOn', 'not_unique', `must be the slug of a unique attribute of ${model.slug}`)
}

/** The unique values and references of a row, as far as its values are valid. */
const wantedOf = (model: ObjectModel, checked: Checked): Pick<Wanted, 'uniques' | 'links'> => {
  const accepted = 'problems' in checked ? checked.accepted : checked
  return accepted ? claimsOf(model, accepted) : { uniques: [], links: [] }
}

const problemsOf = (checked: Checked): readonly Problem[] => ('problems' in checked ? checked.problems : [])

const refused = (index: number, problems: readonly Problem[], wanted?: Wanted): Failure => ({
  index,
  error: invalid('validation_error', problems),
  wanted,
})

interface Upsert {
  model: ObjectModel
  caller: Caller
  attribute: ModelAttribute | undefined
}

/** Refuses an invalid row that would update the record with its id or its value of the attribute. */
function refuseUpsert({ model, caller, attribute }: Upsert, input: Input, checked: Checked): Failure {
  const { index, data, problems = [] } = input
  const claims = wantedOf(model, checked)
  const match = claims.uniques.find(({ attr }) => attr === attribute?.attr)
  const isUpdate = (input.id ?? undefined) !== undefined
  const needed = attribute && !isUpdate && !match ? [unmatched(attribute)] : []
  const createProblems = () =>
    besides(problems, problemsOf(checkData('create', data, model.attributes, caller)))
  const id = isUuid(input.id) ? input.id.toLowerCase() : undefined
  return refused(index, besides(problems, besides(problemsOf(checked), needed)), {
    ...claims,
    ...{ id, match, createProblems: isUpdate ? undefined : createProblems },
  })
}

const unmatched = ({ slug }: ModelAttribute): Problem => ({
  path: `data.${slug}`,
  code: 'required',
  message: 'is required: records are matched on it, so send a value',
})

function checkUpsert(upsert: Upsert, input: Input): Row | Failure {
  const { model, caller, attribute } = upsert
  const { index, data, problems = [] } = input
  const id = input.id ?? undefined
  if (id === undefined && !attribute) return checkCreate(model, caller, input)
  const checked = checkData('patch', data, model.attributes, caller)
  if (id !== undefined && !isUuid(id))
    return refuseUpsert(upsert, { ...input, problems: besides(problems, [NO_SUCH_RECORD]) }, checked)
  if (problems.length > 0 || 'problems' in checked) return refuseUpsert(upsert, input, checked)
  const patch = draftOf(model, id?.toLowerCase() ?? '', checked)
  // A row with an id never creates a record.
  if (id !== undefined || !attribute)
    return { index, create: notFound('record'), patch, id: id?.toLowerCase(), match: undefined }
  const match = patch.uniques.find(({ attr }) => attr === attribute.attr)
  if (!match) return refuseUpsert(upsert, input, checked)
  const newRecord = { id: newId(), data }
  let create: Draft | AppError | undefined
  return {
    index,
    // Most rows of an upsert update.
    get create() {
      create ??= attempt(() => newDraft(model, caller, newRecord))
      return create
    },
    patch,
    id: undefined,
    match,
  }
}

function checkCreate(model: ObjectModel, caller: Caller, { index, data, problems = [] }: Input) {
  const none = { id: undefined, match: undefined }
  const checked = checkData('create', data, model.attributes, caller)
  if (problems.length > 0 || 'problems' in checked)
    return refused(index, besides(problems, problemsOf(checked)), { ...wantedOf(model, checked), ...none })
  return { index, create: newDraftOf(model, newId(), checked), patch: undefined, ...none }
}

/** Checks one row by the rules that need no database. `attribute`: what matchAttribute found. */
export const checkRow = (
  model: ObjectModel,
  caller: Caller,
  input: Input,
  { mode, attribute }: { mode: BulkWrite['mode'] | undefined; attribute: ModelAttribute | undefined },
): Row | Failure =>
  mode === 'upsert' ? checkUpsert({ model, caller, attribute }, input) : checkCreate(model, caller, input)

const shapeProblems = shapeCheck(BulkRow, 'The row')

/** The row without an id that its mode ignores. */
function rowOf(sent: unknown, mode: BulkWrite['mode']): unknown {
  if (mode === 'upsert' || !isObject(sent) || !('id' in sent)) return sent
  const { id: _, ...row } = sent
  return row
}

/** Checks the shape of a row; a problem fails only this row. */
function readRow(sent: unknown, index: number, mode: BulkWrite['mode']): Input | Failure {
  const row = rowOf(sent, mode)
  const problems = shapeProblems(row)
  if (problems.length === 0) {
    const { id, data } = row as BulkRow
    return { index, id, data }
  }
  if (!isObject(row) || !isObject(row['data'])) return refused(index, problems)
  const { id = null, data } = row
  return { index, id: typeof id === 'string' || id === null ? id : '', data, problems }
}

const isDraft = (draft: Draft | AppError): draft is Draft => !(draft instanceof AppError)

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
  rows: readonly Row[],
): Promise<Outcome[] | NothingWritten> {
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

/** The common cases, one statement each: all rows are new, or each changes another record. */
const writeAtOnce = (
  ctx: RecordWriteContext,
  caller: Caller,
  model: ObjectModel,
  rows: readonly Row[],
): Promise<Outcome[] | NothingWritten> =>
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

/** The first attribute that is at fault. */
function faultyAttribute({ details = {} }: AppError): string | undefined {
  if (typeof details['attributeSlug'] === 'string') return details['attributeSlug']
  const problems = Array.isArray(details['errors']) ? (details['errors'] as Problem[]) : []
  return problems.flatMap(({ path }) => /^data\.([^.[]+)/.exec(path)?.[1] ?? [])[0]
}

/** With the number of faults that are left out, if any. */
const detailsOf = ({ errors, more }: ShownFaults) => ({ errors, ...(more > 0 && { moreErrors: more }) })

/** @param isWhole with the details of a single fault too */
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

const isFailure = (outcome: Outcome): outcome is Failure => 'error' in outcome

/** With allOrNone one failure fails the request: 409 for a unique value, else 400. */
function refuseAny(body: BulkWrite, outcomes: readonly Outcome[]): void {
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
const createdBy = (outcomes: readonly Outcome[]): Map<string, number> =>
  new Map(
    outcomes.flatMap((one) => ('status' in one && one.status === 'created' ? [[one.id, one.index]] : [])),
  )

/** The outcomes, with all faults of rows that fail. @throws AppError with allOrNone, if any does */
async function settled(
  db: Db,
  model: ObjectModel,
  body: BulkWrite,
  outcomes: readonly Outcome[],
): Promise<Outcome[]> {
  const failures = outcomes.filter(isFailure)
  if (failures.length === 0) return [...outcomes]
  const undone = body.allOrNone ? createdBy(outcomes) : new Map<string, number>()
  const named = await nameFaults(db, model, { failures, undone })
  if (body.allOrNone) refuseAny(body, named)
  return [...outcomes.filter((outcome) => !isFailure(outcome)), ...named]
}

interface CheckedRows {
  rows: Row[]
  failed: Failure[]
  body: BulkWrite
  hasExchanges: boolean
}

async function write(
  ctx: RecordWriteContext,
  caller: Caller,
  model: ObjectModel,
  { rows, failed, body, hasExchanges }: CheckedRows,
): Promise<Outcome[]> {
  const { allOrNone = false } = body
  // No statement has checked the version of the model, so it is checked before rows are rejected.
  if (rows.length === 0) {
    await requireCurrent(ctx.db, model)
    return settled(ctx.db, model, body, failed)
  }
  // A request that is refused names what is wrong with its other rows too, which are undone.
  const isRefused = allOrNone && failed.length > 0
  const written = isRefused ? NOTHING_WRITTEN : await writeAtOnce(ctx, caller, model, rows)
  if (written !== NOTHING_WRITTEN) return settled(ctx.db, model, body, [...written, ...failed])
  return ctx.db.transaction(async (tx) => {
    const outcomes = await runWaves(tx, caller, model, { rows, hasExchanges })
    return settled(tx, model, body, [...outcomes, ...failed])
  })
}

/** Faults are looked for after the rows are written: if that fails, so does the request, and nothing is written. */
const writeAndName = (ctx: RecordWriteContext, caller: Caller, model: ObjectModel, checked: CheckedRows) =>
  checked.failed.length === 0 || checked.rows.length === 0
    ? write(ctx, caller, model, checked)
    : ctx.db.transaction((tx) => write({ ...ctx, db: tx }, caller, model, checked))

/** The data of the rows, which are not checked yet. */
const dataOf = ({ records }: BulkWrite): unknown[] =>
  records.map((row: unknown) => (isObject(row) ? row['data'] : undefined))

function summarize(body: BulkWrite, outcomes: Outcome[], isWhole: boolean): BulkResult {
  const sorted = outcomes.sort((a, b) => a.index - b.index)
  const count = (status: string) => {
    let found = 0
    for (const outcome of sorted) if ('status' in outcome && outcome.status === status) found++
    return found
  }
  return {
    created: count('created'),
    updated: count('updated'),
    failed: shownFailures(sorted.filter(isFailure)).map((failure) => failedRow(body, failure, isWhole)),
    results: sorted.map((outcome) =>
      isFailure(outcome)
        ? { index: outcome.index, id: sentId(body, outcome.index), status: 'failed' as const }
        : outcome,
    ),
  }
}

interface BulkOptions {
  /** false for files, whose rows take effect in their order. */
  hasExchanges?: boolean
  /** Known problems of rows, by index: these rows fail. */
  problems?: ReadonlyMap<number, readonly Problem[]> | undefined
  /** Failed rows have details also where they have one fault. */
  hasAllDetails?: boolean
}

async function checkRows(
  ctx: RecordWriteContext,
  caller: Caller,
  model: ObjectModel,
  { body, problems }: { body: BulkWrite } & Pick<BulkOptions, 'problems'>,
): Promise<Pick<CheckedRows, 'rows' | 'failed'>> {
  const how = { mode: body.mode, attribute: matchAttribute(model, body) }
  requireActive(model)
  const rows: Row[] = []
  const failed: Failure[] = []
  const yieldIfDue = createYield()
  const locale = await withLookups(ctx.db, caller, model, dataOf(body))
  for (const [index, sent] of body.records.entries()) {
    const due = yieldIfDue()
    if (due) await due
    const input = readRow(sent, index, body.mode)
    const known = problems?.get(index)
    const whole = known && !('error' in input) ? { ...input, problems: known } : input
    const row = 'error' in whole ? whole : checkRow(model, locale, whole, how)
    if ('error' in row) failed.push(row)
    else rows.push(row)
  }
  return { rows, failed }
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
): Promise<BulkResult> {
  return withModel(ctx, caller.org, objectRef, async (model) => {
    const checked = await checkRows(ctx, caller, model, { body, problems })
    const { changeSetId } = body
    const author = changeSetId === undefined ? caller : { ...caller, changeSet: changeSetId.toLowerCase() }
    const outcomes = await writeAndName(ctx, author, model, { ...checked, body, hasExchanges })
    return summarize(body, outcomes, hasAllDetails)
  })
}
