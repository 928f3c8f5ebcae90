// Rules of imports: which action is allowed in which state, and the job of the check for the worker.

import { isUuid } from '../../contract/common.ts'
import { IMPORT_SKIPS_MAX, type ImportAction, type ImportState } from '../../contract/import-states.ts'
import type { Import, ImportCheck, ImportSummary } from '../../contract/imports.ts'
import type { Caller } from '../base/caller.ts'
import { AppError, notFound } from '../base/errors.ts'
import type { Db } from '../db/pool.ts'
import { requireStorable } from '../http/storable.ts'
import { defineJob } from '../jobs/queue.ts'
import { getObject } from '../model/objects/store.ts'
import { requireActive } from '../records/read/record-of.ts'
import { dropClaims } from './claims-store.ts'
import type { ImportContext } from './context.ts'
import { withCurrentModel } from './current-model.ts'
import { lastRecordId } from './existing.ts'
import { guessMapping } from './guess.ts'
import { withGroups } from './problem-groups.ts'
import { referredAttributes, requireReferred } from './reference-columns.ts'
import { type ImportSettings, importSettings, planOf } from './settings.ts'
import {
  beginCheck,
  findImport,
  type ImportRef,
  type ImportRow,
  removeImport,
  removeUpload,
  selectImports,
} from './store.ts'

/** The error of a check or run that ends because of this. */
export const NOT_MEMBER = 'The user who started the import is no longer a member of the organization.'

export const WORK_ON_IMPORT = defineJob<ImportRef>('imports.work')

export const refOf = ({ org }: Caller, id: string): ImportRef => {
  if (!isUuid(id)) throw notFound('import')
  return { org, id: id.toLowerCase() }
}

export async function requireRow(ctx: ImportContext, ref: ImportRef): Promise<ImportRow> {
  const found = await findImport(ctx.db, ref)
  if (!found) throw notFound('import')
  return found
}

/** @throws 404 not_found */
export const requireImport = (ctx: ImportContext, caller: Caller, importId: string): Promise<ImportRow> =>
  requireRow(ctx, refOf(caller, importId))

/** The guess is made again each time, so that it includes new attributes. @throws 404 not_found */
export async function getImport(ctx: ImportContext, caller: Caller, importId: string): Promise<Import> {
  const { settings, ...found } = await requireImport(ctx, caller, importId)
  const { singularName } = await getObject(ctx.db, caller.org, found.objectId)
  const guess = await withCurrentModel(ctx, caller.org, found.objectId, async (model) =>
    guessMapping({
      columns: found.columns,
      attributes: [...model.attributes.values()],
      referred: await referredAttributes(ctx, caller, model),
      singularName,
      country: caller.country,
    }),
  )
  const { mapping, matchOn, format } = settings ?? { mapping: null, matchOn: null, format: null }
  const { duplicates = null, empty = null, fixedValues = [], replacements = [] } = settings ?? {}
  const skippedRows = found.skippedRows.slice(0, IMPORT_SKIPS_MAX)
  const choices = { mapping, matchOn, duplicates, format, empty, fixedValues, replacements, skippedRows }
  return { ...found, ...choices, check: withGroups(found.check), guess }
}

/** @throws 404 not_found */
export async function listImports(
  ctx: ImportContext,
  caller: Caller,
  objectRef: string,
): Promise<ImportSummary[]> {
  const { obj } = await getObject(ctx.db, caller.org, objectRef)
  return selectImports(ctx.db, caller.org, obj)
}

const REFUSALS: Readonly<Record<ImportAction, string>> = {
  check: 'checked again after it has started: upload the file again',
  run: 'run before its mapping is checked, or more than once: check it first, or upload the file again',
  undo: 'undone before it has run, or while it runs: cancel it, or delete it',
  cancel: 'cancelled when it is not running: undo it, or leave it',
  delete: 'deleted while it is running: cancel it first',
}

export function wrongState(
  action: ImportAction,
  { state, hasFile }: { state: ImportState; hasFile: boolean },
) {
  const message = hasFile
    ? `The import is ${state}: it cannot be ${REFUSALS[action]}`
    : 'The file of this import was removed: upload it again'
  return new AppError('wrong_state', message, { state })
}

/** Checks and changes the state in one statement: of two concurrent requests only one succeeds. */
export async function moveImport(
  ctx: ImportContext,
  ref: ImportRef,
  action: ImportAction,
  work: (db: Db) => Promise<boolean>,
): Promise<void> {
  if (!(await work(ctx.db))) throw wrongState(action, await requireRow(ctx, ref))
}

/** The last existing record, if rows are compared with records. */
export async function untilOf(
  tx: Db,
  { org }: ImportRef,
  objectId: string,
  settings: ImportSettings | null,
): Promise<{ until?: string }> {
  const until = settings?.duplicates == null ? undefined : await lastRecordId(tx, { org, objectId })
  return until === undefined ? {} : { until }
}

/** @throws 400 validation_error, 404 not_found, 409 object_inactive, wrong_state */
export async function checkImport(
  ctx: ImportContext,
  caller: Caller,
  importId: string,
  body: ImportCheck,
): Promise<Import> {
  requireStorable(body)
  const ref = refOf(caller, importId)
  const { objectId, columns } = await requireRow(ctx, ref)
  const settings = importSettings(body)
  const plan = await withCurrentModel(ctx, caller.org, objectId, (model) => {
    requireActive(model)
    const headers = columns.map(({ header }) => header)
    return planOf(model, headers, settings, caller)
  })
  const placeOf = ({ index }: { index: number }) => settings.mapping.findIndex((one) => one.index === index)
  await requireReferred(ctx, caller, plan.columns, (column) => `mapping[${placeOf(column)}].part`)
  await moveImport(ctx, ref, 'check', (db) =>
    db.transaction(async (tx) => {
      const begun = await beginCheck(tx, ref, {
        ...settings,
        ...(await untilOf(tx, ref, objectId, settings)),
        startedBy: caller.userId,
      })
      if (!begun) return false
      // Removes the claims that a cancelled check has left.
      await dropClaims(tx, ref)
      await ctx.queue.enqueue(tx, WORK_ON_IMPORT, ref)
      return true
    }),
  )
  return getImport(ctx, caller, importId)
}

/** Deletes the import, not its records. @throws 404 not_found, 409 wrong_state */
export async function deleteImport(ctx: ImportContext, caller: Caller, importId: string): Promise<string> {
  const ref = refOf(caller, importId)
  if ((await removeUpload(ctx.db, ref, caller.userId)) > 0) return ref.id
  await requireRow(ctx, ref)
  await moveImport(ctx, ref, 'delete', (db) => removeImport(db, ref))
  return ref.id
}
