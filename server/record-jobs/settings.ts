// Checks the settings of a new job against its object.
import { CSV_FIELDS } from '../../contract/job-tables.ts'
import { JOB_FIELDS, type NewJob } from '../../contract/jobs.ts'
import type { Caller } from '../base/caller.ts'
import { invalid, invalidField } from '../base/errors.ts'
import type { ObjectModel } from '../model/attributes/models.ts'
import { matchAttribute } from '../records/bulk/row-checks.ts'
import { type ExportField, readFields } from '../records/export/fields.ts'
import { headersOf } from '../records/export/text.ts'
import { searchSort } from '../records/rows/sorting.ts'
import { checkData } from '../records/validation/values.ts'
import { withReferences } from '../records/write/references.ts'
import type { JobsContext } from './context.ts'
import { readFilter } from './matches.ts'
import type { JobSettings } from './store.ts'

const COMMON: readonly string[] = ['type', 'objectId']

/** @throws 400 validation_error */
export function requireFields(body: NewJob): void {
  const { type } = body
  const { required, optional } = JOB_FIELDS[type]
  const known: readonly string[] = [...COMMON, ...required, ...optional]
  const sent = Object.keys(body).find((name) => !known.includes(name))
  if (sent !== undefined)
    throw invalidField(sent, 'not_allowed', `is not of a job of the type ${type}: leave it out`)
  const missing = required.find((name) => body[name] === undefined)
  if (missing !== undefined)
    throw invalidField(missing, 'required', `is required for a job of the type ${type}: send it`)
}

/** @throws 400 validation_error */
function requireCsv(body: NewJob): void {
  const sent = body.format === 'csv' ? undefined : CSV_FIELDS.find((name) => body[name] !== undefined)
  if (sent === undefined) return
  throw invalidField(sent, 'not_allowed', 'is of a file with columns: leave it out, or send format csv')
}

/** The attribute that lines are matched on. */
const uniqueOf = ({ matchOn }: NewJob): string | undefined => (matchOn === 'id' ? undefined : matchOn)

const hasMatches = (body: NewJob): boolean => uniqueOf(body) !== undefined || body.duplicateRules === true

/** @throws 400 validation_error */
function refuseMatching({ matchOn, duplicateRules }: NewJob): void {
  const sent = matchOn !== undefined ? 'matchOn' : duplicateRules ? 'duplicateRules' : undefined
  if (sent === undefined) return
  throw invalidField(
    sent,
    'not_allowed',
    'is not for duplicates create, where every line creates a record: leave it out, or send duplicates update or skip',
  )
}

/** @throws 400 validation_error */
function requireMatching(model: ObjectModel, body: NewJob): void {
  const { duplicates } = body
  if (duplicates === 'create') refuseMatching(body)
  const matchOn = uniqueOf(body)
  if (matchOn !== undefined) matchAttribute(model, { mode: 'upsert', matchOn })
  if (duplicates === undefined || duplicates === 'create' || hasMatches(body)) return
  throw invalidField(
    'duplicates',
    'not_allowed',
    'is for lines that are compared with records: leave it out, or send matchOn, a unique attribute, or duplicateRules true',
  )
}

/** Checks the values before the job starts, not for each record. @throws 400 validation_error */
async function requireData(
  ctx: JobsContext,
  caller: Caller,
  model: ObjectModel,
  { data = {}, createMissing }: NewJob,
): Promise<void> {
  const { locale } = await withReferences(ctx, caller, { model, createMissing }, [data])
  const checked = checkData('patch', data, model.attributes, locale)
  if ('problems' in checked) throw invalid('validation_error', checked.problems)
}

/** In lines of JSON, the id of a reference and values of its record have the same place. @throws 400 validation_error */
function refuseSamePlace(fields: readonly ExportField[], asked: readonly string[]): void {
  const same = fields.find(({ via }) => via && asked.includes(via.slug))
  if (!same) return
  throw invalidField(
    `fields[${asked.indexOf(same.path)}]`,
    'not_allowed',
    `must not be "${same.path}" if fields has "${same.via?.slug}", because both are one value in lines of JSON: leave one out, or send format csv`,
  )
}

/** @throws 400 validation_error */
async function exportSettings(
  ctx: JobsContext,
  caller: Caller,
  model: ObjectModel,
  asked: JobSettings,
): Promise<JobSettings> {
  const { format } = asked
  const fields = asked.fields && (await readFields(ctx, caller, model, asked.fields))
  if (format === 'csv') return { ...asked, headers: headersOf({ model, fields }) }
  refuseSamePlace(fields ?? [], asked.fields ?? [])
  return { ...asked, format: 'ndjson' }
}

/** @param ctx within a transaction @throws 400 invalid_filter, invalid_parameter, validation_error */
export async function settingsOf(
  ctx: JobsContext,
  caller: Caller,
  model: ObjectModel,
  body: NewJob,
): Promise<JobSettings> {
  const { type, objectId: _, ...asked } = body
  if (type !== 'import') await readFilter(ctx, caller, model, body.filter)
  if (type === 'update') await requireData(ctx, caller, model, body)
  if (type === 'export') {
    searchSort(model, body.sort, caller)
    return exportSettings(ctx, caller, model, asked)
  }
  if (type !== 'import') return asked
  requireCsv(body)
  requireMatching(model, body)
  return { format: 'ndjson', ...(hasMatches(body) && { duplicates: 'update' }), ...asked }
}
