// Up to 100 records in one request. The result is the same as if the rows were sent one after the other.

import { isUuid } from '../../contract/common.ts'
import type { Problem } from '../../contract/errors.ts'
import { type BulkResult, BulkRow, type BulkWrite, type FailedRow } from '../../contract/records.ts'
import { type ModelAttribute, type ObjectModel, requireCurrent, withModel } from '../attributes/models.ts'
import type { Caller, Context } from '../context.ts'
import { allOrNothing } from '../db/scope.ts'
import { AppError, attempt, invalid, invalidField, notFound } from '../errors.ts'
import { createYield } from '../event-loop.ts'
import { shapeCheck } from '../http/validate.ts'
import { newId } from '../id.ts'
import { isObject } from '../json.ts'
import { type Failure, type Outcome, type Row, runWaves } from './bulk-waves.ts'
import { isAnyTaken } from './claims.ts'
import { isUniqueViolation } from './conflicts.ts'
import { draftOf, newDraft, requireValid } from './drafts.ts'
import { insertRecords } from './insert-store.ts'
import { updateKnown } from './known-updates.ts'
import { withLookups } from './sent-values.ts'
import { requireActive } from './service.ts'
import { checkData } from './values.ts'
import type { Draft, UniqueValue } from './write-store.ts'

interface Input {
  index: number
  /** The record to update; null and undefined name none. */
  id?: string | null | undefined
  data: unknown
}

type How = Pick<BulkWrite, 'mode' | 'matchOn'>

export function matchAttribute(model: ObjectModel, { mode, matchOn }: How): ModelAttribute | undefined {
  if (matchOn === undefined) return undefined
  if (mode !== 'upsert') throw invalidField('matchOn', 'needs_upsert', 'is only allowed with mode upsert')
  const attribute = model.attributes.get(matchOn)
  if (attribute?.isUnique && !attribute.isList) return attribute
  throw invalidField('matchOn', 'not_unique', `must be the slug of a unique attribute of ${model.slug}`)
}

function matchValue(attribute: ModelAttribute, draft: Draft): UniqueValue | AppError {
  const value = draft.uniques.find(({ attr }) => attr === attribute.attr)
  return (
    value ??
    invalidField(`data.${attribute.slug}`, 'required', 'must have a value: records are matched on it')
  )
}

function checkUpsert(
  model: ObjectModel,
  caller: Caller,
  input: Input,
  attribute: ModelAttribute | undefined,
): Row | AppError {
  const { index, data } = input
  const id = input.id ?? undefined
  if (id === undefined && !attribute) return checkCreate(model, caller, input)
  if (id !== undefined && !isUuid(id)) return invalidField('id', 'not_found', 'no such record')
  const patch = attempt(() =>
    draftOf(model, id?.toLowerCase() ?? '', requireValid(checkData('patch', data, model.attributes, caller))),
  )
  if (patch instanceof AppError) return patch
  // A row with an id never creates a record.
  if (id !== undefined || !attribute)
    return { index, create: notFound('record'), patch, id: id?.toLowerCase(), match: undefined }
  const match = matchValue(attribute, patch)
  if (match instanceof AppError) return match
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

function checkCreate(model: ObjectModel, caller: Caller, { index, data }: Input): Row | AppError {
  const create = attempt(() => newDraft(model, caller, { id: newId(), data }))
  return create instanceof AppError
    ? create
    : { index, create, patch: undefined, id: undefined, match: undefined }
}

/** Checks one row by the rules that need no database. `attribute`: what matchAttribute found. */
export const checkRow = (
  model: ObjectModel,
  caller: Caller,
  input: Input,
  { mode, attribute }: { mode: BulkWrite['mode'] | undefined; attribute: ModelAttribute | undefined },
): Row | AppError =>
  mode === 'upsert' ? checkUpsert(model, caller, input, attribute) : checkCreate(model, caller, input)

const shapeProblems = shapeCheck(BulkRow)

/** The row without an id that its mode ignores. */
function rowOf(sent: unknown, mode: BulkWrite['mode']): unknown {
  if (mode === 'upsert' || !isObject(sent) || !('id' in sent)) return sent
  const { id: _, ...row } = sent
  return row
}

/** Checks the shape of a row; a problem fails only this row. */
function readRow(sent: unknown, index: number, mode: BulkWrite['mode']): Input | AppError {
  const row = rowOf(sent, mode)
  const problems = shapeProblems(row)
  if (problems.length > 0) return invalid('validation_error', problems)
  const { id, data } = row as BulkRow
  return { index, id, data }
}

const isDraft = (draft: Draft | AppError): draft is Draft => !(draft instanceof AppError)

/**
 * With more rows, unique values are checked before the insert: a taken value would roll back all rows, and leave dead
 * index rows.
 */
const FEW = 100

/**
 * The common case: all rows are new and have no conflicts, so they are inserted by one statement.
 * @returns undefined when something was
 */
async function insertAll(
  ctx: Context,
  caller: Caller,
  model: ObjectModel,
  rows: readonly Row[],
): Promise<Outcome[] | undefined> {
  const drafts = rows.map(({ create }) => create).filter(isDraft)
  if (drafts.length > FEW && (await isAnyTaken(ctx.db, model.org, drafts))) return undefined
  try {
    const inserted = await ctx.db.attempt((db) => insertRecords(db, caller, model, drafts))
    if (typeof inserted !== 'number') return undefined
  } catch (error) {
    if (isUniqueViolation(error)) return undefined
    throw error
  }
  return rows.map(({ index }, place) => ({ index, id: drafts[place]?.id ?? '', status: 'created' }))
}

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

function failedRow(body: BulkWrite, { index, error }: Failure): FailedRow {
  const [attribute, id] = [faultyAttribute(error), sentId(body, index)]
  const existingRecordId = error.details?.['existingRecordId']
  return {
    ...{ index, error: error.message, code: error.code },
    ...(attribute !== undefined && { attribute }),
    ...(typeof existingRecordId === 'string' && { existingRecordId }),
    ...(id !== null && { id }),
  }
}

/** With allOrNone one failure fails the request: 409 for a unique value, else 400. */
function refuseAny(body: BulkWrite, outcomes: readonly Outcome[]): void {
  const failures = outcomes.filter((outcome) => 'error' in outcome).sort((a, b) => a.index - b.index)
  if (failures.length === 0) return
  const failed = failures.map((failure) => failedRow(body, failure))
  const errors = failures.map(({ index, error }) => ({
    path: `records[${index}]`,
    code: error.code,
    message: error.message,
  }))
  const taken = failures.find(({ error }) => error.code === 'unique_violation')
  if (taken) {
    const { message, details } = taken.error
    throw new AppError('unique_violation', message, { ...details, errors, failed })
  }
  const { message } = invalid('validation_error', errors)
  throw new AppError('validation_error', message, { errors, failed })
}

interface Checked {
  rows: Row[]
  failed: Outcome[]
  body: BulkWrite
  hasExchanges: boolean
}

async function write(
  ctx: Context,
  caller: Caller,
  model: ObjectModel,
  { rows, failed, body, hasExchanges }: Checked,
): Promise<Outcome[]> {
  const { allOrNone = false } = body
  // No statement has checked the version of the model, so it is checked before rows are rejected.
  if (rows.length === 0) {
    await requireCurrent(ctx.db, model)
    if (allOrNone) refuseAny(body, failed)
    return failed
  }
  // A request that is refused names what is wrong with its other rows too, which are undone.
  const isRefused = allOrNone && failed.length > 0
  if (!isRefused && rows.every(({ patch }) => !patch)) {
    const outcomes = await allOrNothing(ctx.db.scope, () => insertAll(ctx, caller, model, rows))
    if (outcomes) return [...outcomes, ...failed]
  }
  const updated =
    !isRefused && (await allOrNothing(ctx.db.scope, () => updateKnown(ctx.db, caller, model, rows)))
  if (updated) return [...updated, ...failed]
  return ctx.db.transaction(async (tx) => {
    const outcomes = await runWaves(tx, caller, model, { rows, hasExchanges })
    if (allOrNone) refuseAny(body, [...failed, ...outcomes])
    return [...outcomes, ...failed]
  })
}

/** The data of the rows, which are not checked yet. */
const dataOf = ({ records }: BulkWrite): unknown[] =>
  records.map((row: unknown) => (isObject(row) ? row['data'] : undefined))

function summarize(body: BulkWrite, outcomes: Outcome[]): BulkResult {
  const sorted = outcomes.sort((a, b) => a.index - b.index)
  const count = (status: string) => {
    let found = 0
    for (const outcome of sorted) if ('status' in outcome && outcome.status === status) found++
    return found
  }
  return {
    created: count('created'),
    updated: count('updated'),
    failed: sorted.flatMap((outcome) => ('error' in outcome ? [failedRow(body, outcome)] : [])),
    results: sorted.map((outcome) =>
      'error' in outcome
        ? { index: outcome.index, id: sentId(body, outcome.index), status: 'failed' as const }
        : outcome,
    ),
  }
}

/**
 * Creates or upserts (specification, "Bulk modes"; matchOn and allOrNone of decisions, section 1).
 * @param options hasExchanges: false for files, whose rows mean what they mean one after the other
 * @throws 400 validation_error, 404 not_found, 409 object_inactive; with allOrNone also 409 unique_violation
 */
export function bulkWrite(
  ctx: Context,
  caller: Caller,
  objectRef: string,
  body: BulkWrite,
  { hasExchanges = true } = {},
): Promise<BulkResult> {
  return withModel(ctx, caller.org, objectRef, async (model) => {
    const attribute = matchAttribute(model, body)
    requireActive(model)
    const rows: Row[] = []
    const failed: Outcome[] = []
    const yieldIfDue = createYield()
    const locale = await withLookups(ctx.db, caller, model, dataOf(body))
    for (const [index, sent] of body.records.entries()) {
      const due = yieldIfDue()
      if (due) await due
      const input = readRow(sent, index, body.mode)
      const row =
        input instanceof AppError ? input : checkRow(model, locale, input, { mode: body.mode, attribute })
      if (row instanceof AppError) failed.push({ index, error: row })
      else rows.push(row)
    }
    const { changeSetId } = body
    const author = changeSetId === undefined ? caller : { ...caller, changeSet: changeSetId.toLowerCase() }
    const outcomes = await write(ctx, author, model, { rows, failed, body, hasExchanges })
    return summarize(body, outcomes)
  })
}
