// Rules and transactions of single records.
import { RECORD_BYTES_MAX } from '../../../contract/limits.ts'
import type { Caller } from '../../base/caller.ts'
import { isUniqueViolation } from '../../base/error-code.ts'
import { type AppError, invalid, invalidField } from '../../base/errors.ts'
import { newId } from '../../base/id.ts'
import type { Db } from '../../db/pool.ts'
import { requireMatch } from '../../http/etag.ts'
import { type ObjectModel, withModel } from '../../model/attributes/models.ts'
import { knownIds, type RecordOf, requireActive, requireRecordId } from '../read/record-of.ts'
import { recordNotFound } from '../read/successor.ts'
import { recordEtag, type StoredRecord } from '../rows/stored-record.ts'
import { keepCurrencies } from '../validation/bare-amounts.ts'
import { checkData } from '../validation/values.ts'
import type { RecordWrite, RecordWrites } from './batches.ts'
import { missingReferences, uniqueViolation } from './conflicts.ts'
import type { RecordWriteContext } from './context.ts'
import { deleteRecords } from './delete-store.ts'
import { draftOf, newDraft, requireValid } from './drafts.ts'
import { insertRecord } from './insert-store.ts'
import { referring, withReferences } from './references.ts'
import {
  type LinkRow,
  lockRecords,
  lockTargets,
  type RecordDraft,
  replaceLinks,
  replaceUniques,
  selectUniques,
  updateRecords,
  updateUnlocked,
} from './store.ts'

/** The error that names the record with the value; undefined if the record has released the value. */
async function holderOf(db: Db, model: ObjectModel, draft: RecordDraft): Promise<AppError | undefined> {
  const holders = await selectUniques(db, model.org, draft.uniques)
  const other = holders.find(({ id }) => id !== draft.id)
  return other && uniqueViolation(model, other)
}

const MAX_TRIES = 20

/** Writes, and converts a violated unique constraint to a 409 that names the other record. */
async function writingUnique<Result>(
  db: Db,
  model: ObjectModel,
  draft: RecordDraft,
  write: () => Promise<Result>,
): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await write()
    } catch (error) {
      if (!isUniqueViolation(error)) throw error
      const conflict = await holderOf(db, model, draft)
      if (conflict) throw conflict
      if (tries === MAX_TRIES) throw error
    }
  }
}

/** Writes by a statement shared with other requests, except in a transaction, or as part of a change set. */
const writeWithOthers = (
  { db }: { db: Db },
  writes: RecordWrites,
  write: Pick<RecordWrite, 'caller' | 'model' | 'draft'>,
  unbatched: () => Promise<StoredRecord>,
): Promise<StoredRecord> =>
  db.inTransaction || write.caller.changeSet !== undefined
    ? unbatched()
    : writes.write({ ...write, scope: db.scope }, unbatched)

/** @throws 400 validation_error, 409 unique_violation */
async function insertUnbatched(
  { db }: { db: Db },
  caller: Caller,
  model: ObjectModel,
  draft: RecordDraft,
): Promise<StoredRecord> {
  const record = await writingUnique(db, model, draft, () =>
    db.attempt((one) => insertRecord(one, caller, model, draft)),
  )
  if ('missing' in record) throw invalid('validation_error', missingReferences(model, draft, record.missing))
  return record
}

/** The data that a request writes. */
interface Written {
  data: unknown
  /** Create records for references by a value that no record has. */
  createMissing?: boolean | undefined
}

/**
 * @param objectRef the object's id or slug
 * @throws 400 validation_error, 404 not_found, 409 object_inactive, unique_violation
 */
export function createRecord(
  ctx: RecordWriteContext,
  caller: Caller,
  objectRef: string,
  { data, createMissing }: Written,
): Promise<RecordOf> {
  return withModel(ctx, caller.org, objectRef, (model) =>
    referring(ctx, model, [data], async (within) => {
      const asked = { model, createMissing }
      const { locale, pending } = await withReferences(within, caller, asked, [data])
      const draft = newDraft(model, locale, { id: newId(), data })
      requireActive(model)
      await pending.createFor(within.db, caller, [draft])
      const unbatched = () => insertUnbatched(within, caller, model, draft)
      const record = await writeWithOthers(within, ctx.recordInserts, { caller, model, draft }, unbatched)
      return { model, record }
    }),
  )
}

/** The stored references of the slugs that a draft replaces. */
export function replacedLinks(model: ObjectModel, { id, data }: StoredRecord, patch: RecordDraft): LinkRow[] {
  const references = patch.slugs
    .flatMap((slug) => model.attributes.get(slug) ?? [])
    .filter(({ type }) => type === 'reference')
  if (references.length === 0) return []
  const stored = JSON.parse(data) as Record<string, string | string[] | undefined>
  return references.flatMap(({ slug, attr }) =>
    [stored[slug] ?? []].flat().map((target) => ({ id, attr, target })),
  )
}

/** Unique attributes that a draft sets or clears. */
export const touchedUniques = (model: ObjectModel, patch: RecordDraft): number[] =>
  patch.slugs.flatMap((slug) => {
    const attribute = model.attributes.get(slug)
    return attribute?.isUnique ? [attribute.attr] : []
  })

/** A text of this length cannot make a record too large, in any script. */
export const CHARACTERS_UNCHECKED = RECORD_BYTES_MAX / 4

/** The values were checked one by one; this checks the size of the whole record. @throws 400 validation_error */
export function requireSize(stored: StoredRecord, patch: RecordDraft): void {
  if (stored.data.length + patch.data.length <= CHARACTERS_UNCHECKED) return
  const whole = JSON.stringify({ ...JSON.parse(stored.data), ...JSON.parse(patch.data) })
  const bytes = Buffer.byteLength(whole)
  if (bytes > RECORD_BYTES_MAX)
    throw invalidField(
      'data',
      'too_large',
      `must have at most ${RECORD_BYTES_MAX} bytes, and the record would have ${bytes}: shorten texts or lists`,
    )
}

/** Completes amounts without a currency with the currency of the locked record. */
export const draftFor = (stored: StoredRecord, draft: RecordDraft): RecordDraft =>
  draft.bareAmounts ? { ...draft, data: keepCurrencies(stored.data, draft.data, draft.bareAmounts) } : draft

interface Patch extends Written {
  recordId: string
  ifMatch: string | undefined
}

/** @throws 400 validation_error, 404 not_found, 409 object_inactive, unique_violation, 412 precondition_failed */
export async function patchRecord(
  ctx: RecordWriteContext,
  caller: Caller,
  objectRef: string,
  patch: Patch,
): Promise<RecordOf> {
  const { recordId, data, createMissing, ifMatch } = patch
  return withModel(ctx, caller.org, objectRef, (model) =>
    referring(ctx, model, [data], async (within) => {
      const asked = { model, createMissing }
      const { locale, pending } = await withReferences(within, caller, asked, [data])
      const checked = requireValid(checkData('patch', data, model.attributes, locale))
      const draft = draftOf(model, requireRecordId(recordId), checked)
      await pending.createFor(within.db, caller, [draft])
      const withLock = () =>
        writingUnique(within.db, model, draft, () =>
          within.db.transaction((tx) => writePatch(tx, caller, model, { draft, ifMatch })),
        )
      const record = isPlain(model, draft, ifMatch)
        ? await writePlain(within, caller, { model, draft }, withLock)
        : await withLock()
      return { model, record }
    }),
  )
}

/**
 * Whether an index of the slugs is being built: its rows are visible only to a statement that starts after the lock.
 */
export const isBeingIndexed = ({ index }: ObjectModel, slugs: readonly string[]) =>
  slugs.some((slug) => {
    const kept = index?.attributes.get(slug)
    return kept?.state === 'building' || kept?.search === 'building'
  })

/** The common case of a patch: one statement without further checks. */
function isPlain(
  model: ObjectModel,
  { slugs, bareAmounts }: RecordDraft,
  ifMatch: string | undefined,
): boolean {
  const areValues = slugs.every((slug) => {
    const attribute = model.attributes.get(slug)
    return attribute !== undefined && !attribute.isUnique && attribute.type !== 'reference'
  })
  // The current currency of an amount can only be read with the lock.
  if (bareAmounts) return false
  return areValues && ifMatch === undefined && model.isActive && !isBeingIndexed(model, slugs)
}

/** @param withLock writes the patch if one statement does not */
function writePlain(
  ctx: RecordWriteContext,
  caller: Caller,
  { model, draft }: Pick<RecordWrite, 'model' | 'draft'>,
  withLock: () => Promise<StoredRecord>,
): Promise<StoredRecord> {
  const bytesMax = CHARACTERS_UNCHECKED - draft.data.length
  const unbatched = async () =>
    (await updateUnlocked(ctx.db, caller, model, { draft, bytesMax })) ?? withLock()
  return writeWithOthers(ctx, ctx.recordUpdates, { caller, model, draft }, unbatched)
}

/** In the caller's transaction. @throws as patchRecord */
export async function writePatch(
  tx: Db,
  caller: Caller,
  model: ObjectModel,
  { draft: sent, ifMatch }: { draft: RecordDraft; ifMatch: string | undefined },
): Promise<StoredRecord> {
  const locked = await lockRecords(tx, model, [sent.id])
  const [stored] = locked
  if (!stored) throw await recordNotFound(tx, model, sent.id)
  const draft = draftFor(stored, sent)
  requireActive(model)
  requireMatch(ifMatch, recordEtag(stored))
  requireSize(stored, draft)
  const { missing } = await lockTargets(tx, model.org, [draft])
  if (missing.size > 0) throw invalid('validation_error', missingReferences(model, draft, missing))
  await replaceUniques(tx, model.org, [draft], touchedUniques(model, draft))
  await replaceLinks(tx, model.org, { removed: replacedLinks(model, stored, draft), drafts: [draft] })
  const [updated] = await updateRecords(tx, caller, model, [draft])
  return updated ?? stored
}

/** @throws 404 not_found, 409 object_inactive, 412 precondition_failed */
export function deleteRecord(
  ctx: RecordWriteContext,
  caller: Caller,
  objectRef: string,
  deletion: { recordId: string; ifMatch: string | undefined; isPermanent?: boolean },
): Promise<string> {
  return withModel(ctx, caller.org, objectRef, (model) => {
    const id = requireRecordId(deletion.recordId)
    return ctx.db.transaction(async (tx) => {
      await deleteRecords(ctx, tx, {
        caller,
        model,
        ids: [id],
        isPermanent: deletion.isPermanent ?? false,
        check: async ([stored]) => {
          if (!stored) throw await recordNotFound(tx, model, id)
          requireActive(model)
          requireMatch(deletion.ifMatch, recordEtag(stored))
        },
      })
      return id
    })
  })
}

/** Deletes the existing records among the ids. @returns their number @throws 404 not_found, 409 object_inactive */
export function deleteManyRecords(
  ctx: RecordWriteContext,
  caller: Caller,
  objectRef: string,
  { ids, isPermanent }: { ids: readonly string[]; isPermanent: boolean },
): Promise<number> {
  return withModel(ctx, caller.org, objectRef, (model) => {
    requireActive(model)
    const known = knownIds(ids)
    return ctx.db.transaction((tx) =>
      deleteRecords(ctx, tx, { caller, model, ids: known, isPermanent, check: () => undefined }),
    )
  })
}
