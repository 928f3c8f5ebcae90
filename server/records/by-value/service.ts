// Reads, creates and updates one record by a unique value: an upsert of one row.
import type { Caller } from '../../base/caller.ts'
import { AppError, invalid, invalidField } from '../../base/errors.ts'
import { sentName } from '../../base/suggestions.ts'
import type { Db } from '../../db/pool.ts'
import { requireMatch } from '../../http/etag.ts'
import { type ModelContext, type ObjectModel, withModel } from '../../model/attributes/models.ts'
import { checkRow } from '../bulk/row-checks.ts'
import { writeRows } from '../bulk/service.ts'
import { type Shown, shownAs } from '../expansion/paths.ts'
import { expandedRecord } from '../expansion/service.ts'
import { findRecord, findRecordByValue } from '../read/find-record.ts'
import { type RecordOf, requireActive } from '../read/record-of.ts'
import { recordEtag } from '../rows/stored-record.ts'
import { checkData } from '../validation/values.ts'
import type { RecordWriteContext } from '../write/context.ts'
import { withReferences } from '../write/references.ts'
import { withLookups } from '../write/sent-values.ts'
import { holdersOf, lockRecords, type UniqueValue, uniqueKey } from '../write/store.ts'
import { noneWith, type PathValue, pathAttribute, pathMatch, type SentLocale } from './match.ts'

/** @throws 404 not_found */
export function getRecordByValue(
  ctx: ModelContext,
  caller: Caller,
  objectRef: string,
  { fields, expand, ...path }: PathValue & Shown,
): Promise<RecordOf> {
  return withModel(ctx, caller.org, objectRef, async (whole) => {
    const as = await shownAs(ctx, caller, whole, { fields, expand })
    const { model } = as
    pathAttribute(model, caller, path.slug)
    const locale = await withLookups(ctx.db, caller, model, [{ [path.slug]: path.value }])
    const match = pathMatch(model, locale, path)
    // No record has an invalid value of the attribute.
    const record = Array.isArray(match) ? undefined : await findRecordByValue(ctx.db, model, match)
    if (!record) throw noneWith()
    return expandedRecord(ctx.db, caller, as, record)
  })
}

/** Refuses another value in the body than in the path; another form of it is allowed. @throws 400 validation_error */
function refuseOther(
  model: ObjectModel,
  locale: SentLocale,
  { slug, value, data, match }: PathValue & { data: Record<string, unknown>; match: UniqueValue },
): void {
  const checked = checkData('patch', { [slug]: data[slug] }, model.attributes, locale)
  // An invalid value is refused later, with the other values.
  if ('problems' in checked || checked.uniques[0]?.value === match.value) return
  throw invalidField(
    `data.${slug}`,
    'not_matched',
    `must be the value of the path, ${sentName(value)}, not ${sentName(data[slug])}: leave it out, or send the path of the other value`,
  )
}

/** Locks the record with the value and compares its version. @throws 412 precondition_failed */
async function requireMatching(
  tx: Db,
  model: ObjectModel,
  match: UniqueValue,
  ifMatch: string | undefined,
): Promise<void> {
  if (ifMatch === undefined) return
  const findHolder = async () => (await holdersOf(tx, model.org, [match])).get(uniqueKey(match))
  const id = await findHolder()
  const [stored] = id === undefined ? [] : await lockRecords(tx, model, [id])
  // Before it was locked, the record could have lost the value.
  if (!stored || (await findHolder()) !== id)
    throw new AppError(
      'precondition_failed',
      'No record has this value: leave If-Match out to create one, or read it again',
    )
  requireMatch(ifMatch, recordEtag(stored))
}

interface Upsert extends PathValue {
  data: Record<string, unknown>
  /** Whether to create the records that references name by a value that no record has. */
  createMissing?: boolean | undefined
  ifMatch: string | undefined
}

type Upserted = RecordOf & { isCreated: boolean }

/** @param ctx in a transaction */
async function upsertIn(
  ctx: RecordWriteContext,
  caller: Caller,
  model: ObjectModel,
  { slug, value, data, createMissing, ifMatch }: Upsert,
): Promise<Upserted> {
  const attribute = pathAttribute(model, caller, slug)
  const createData = { [slug]: value, ...data }
  const asked = { model, createMissing }
  const path = { slug, value }
  const { locale, pending } = await withReferences(ctx, caller, asked, [createData, { [slug]: value }])
  const match = pathMatch(model, locale, path)
  if (Array.isArray(match)) throw invalid('invalid_parameter', match)
  if (Object.hasOwn(data, slug)) refuseOther(model, locale, { ...path, data, match })
  requireActive(model)
  await requireMatching(ctx.db, model, match, ifMatch)
  const input = { index: 0, data, found: { match, createData } }
  const row = checkRow(model, locale, input, { mode: 'upsert', attribute })
  const rows = 'error' in row ? { rows: [], failed: [row] } : { rows: [row], failed: [] }
  const body = { mode: 'upsert' as const, records: [{ data }] }
  const [outcome] = await writeRows(ctx, caller, model, { ...rows, body, pending, hasExchanges: false })
  if (outcome && 'error' in outcome) throw outcome.error
  const record = outcome && (await findRecord(ctx.db, model, outcome.id))
  if (!record) throw new Error('The record that was written is missing')
  return { model, record, isCreated: outcome.status === 'created' }
}

/**
 * Merges the caller's data into the record with the value. A new record gets the value as it is in the path. An
 * existing record keeps its form of the value, unless `data` has another form.
 * @throws 400 invalid_parameter, validation_error, 404 not_found, 409 object_inactive, unique_violation,
 * 412 precondition_failed
 */
export function upsertByValue(
  ctx: RecordWriteContext,
  caller: Caller,
  objectRef: string,
  upsert: Upsert,
): Promise<Upserted> {
  return withModel(ctx, caller.org, objectRef, (model) =>
    ctx.db.transaction((tx) => upsertIn({ ...ctx, db: tx }, caller, model, upsert)),
  )
}
