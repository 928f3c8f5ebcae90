// Checks each row of a request separately: returns what the row writes, or why it is refused.
import { isUuid } from '../../../contract/common.ts'
import type { Problem } from '../../../contract/errors.ts'
import { BulkRow, type BulkWrite } from '../../../contract/records.ts'
import type { Caller } from '../../base/caller.ts'
import { type AppError, attempt, invalid, invalidField, notFound } from '../../base/errors.ts'
import { newId } from '../../base/id.ts'
import { isObject } from '../../base/json.ts'
import { shapeCheck } from '../../http/validate.ts'
import type { ModelAttribute, ObjectModel } from '../../model/attributes/models.ts'
import { identifies } from '../../model/attributes/unique-attributes.ts'
import { checkData } from '../validation/values.ts'
import { type Checked, claimsOf, draftOf, newDraft, newDraftOf } from '../write/drafts.ts'
import type { RecordDraft, UniqueValue } from '../write/store.ts'
import { besides, NO_SUCH_RECORD, type RowFailure, type Wanted } from './row-faults.ts'
import type { CheckedBulkRow } from './waves.ts'

export interface BulkInput {
  index: number
  /** The id of the record to update, if any. */
  id?: string | null | undefined
  data: unknown
  /** How the record is found if `data` lacks the matched attribute. A new record gets `createData`. */
  found?: { match: UniqueValue; createData: Record<string, unknown> } | undefined
  /** Problems of the row that are already known. */
  problems?: readonly Problem[] | undefined
}

export type How = Pick<BulkWrite, 'mode' | 'matchOn'>

export function matchAttribute(model: ObjectModel, { mode, matchOn }: How): ModelAttribute | undefined {
  if (matchOn === undefined) return undefined
  if (mode !== 'upsert')
    throw invalidField(
      'matchOn',
      'needs_upsert',
      'is only allowed with mode upsert: leave it out, or send mode upsert',
    )
  const attribute = model.attributes.get(matchOn)
  if (attribute && identifies(attribute)) return attribute
  throw invalidField('matchOn', 'not_unique', `must be the slug of a unique attribute of ${model.slug}`)
}

/** The unique values and references among the valid values of a row. */
const wantedOf = (model: ObjectModel, checked: Checked): Pick<Wanted, 'uniques' | 'links'> => {
  const accepted = 'problems' in checked ? checked.accepted : checked
  return accepted ? claimsOf(model, accepted) : { uniques: [], links: [] }
}

const problemsOf = (checked: Checked): readonly Problem[] => ('problems' in checked ? checked.problems : [])

const refused = (index: number, problems: readonly Problem[], wanted?: Wanted): RowFailure => ({
  index,
  error: invalid('validation_error', problems),
  wanted,
})

interface Upsert {
  model: ObjectModel
  caller: Caller
  attribute: ModelAttribute | undefined
}

/** Refuses an invalid row that names its record by id or by the matched attribute. */
function refuseUpsert({ model, caller, attribute }: Upsert, input: BulkInput, checked: Checked): RowFailure {
  const { index, data, found, problems = [] } = input
  const claims = wantedOf(model, checked)
  const match = claims.uniques.find(({ attr }) => attr === attribute?.attr) ?? found?.match
  const isUpdate = (input.id ?? undefined) !== undefined
  const needed = attribute && !isUpdate && !match ? [unmatched(attribute)] : []
  const createProblems = () =>
    besides(problems, problemsOf(checkData('create', found?.createData ?? data, model.attributes, caller)))
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

function checkUpsert(upsert: Upsert, input: BulkInput): CheckedBulkRow | RowFailure {
  const { model, caller, attribute } = upsert
  const { index, data, found, problems = [] } = input
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
  const match = patch.uniques.find(({ attr }) => attr === attribute.attr) ?? found?.match
  if (!match) return refuseUpsert(upsert, input, checked)
  const newRecord = { id: newId(), data: found?.createData ?? data }
  let create: RecordDraft | AppError | undefined
  return {
    index,
    // Computed on demand: most rows of an upsert update a record.
    get create() {
      create ??= attempt(() => newDraft(model, caller, newRecord))
      return create
    },
    patch,
    id: undefined,
    match,
  }
}

function checkCreate(model: ObjectModel, caller: Caller, { index, data, problems = [] }: BulkInput) {
  const none = { id: undefined, match: undefined }
  const checked = checkData('create', data, model.attributes, caller)
  if (problems.length > 0 || 'problems' in checked)
    return refused(index, besides(problems, problemsOf(checked)), { ...wantedOf(model, checked), ...none })
  return { index, create: newDraftOf(model, newId(), checked), patch: undefined, ...none }
}

/** Checks one row by the rules that need no database. `attribute` is the result of matchAttribute. */
export const checkRow = (
  model: ObjectModel,
  caller: Caller,
  input: BulkInput,
  { mode, attribute }: { mode: BulkWrite['mode'] | undefined; attribute: ModelAttribute | undefined },
): CheckedBulkRow | RowFailure =>
  mode === 'upsert' ? checkUpsert({ model, caller, attribute }, input) : checkCreate(model, caller, input)

const shapeProblems = shapeCheck(BulkRow, 'The row')

/** The row without its id, if the mode ignores ids. */
function rowOf(sent: unknown, mode: BulkWrite['mode']): unknown {
  if (mode === 'upsert' || !isObject(sent) || !('id' in sent)) return sent
  const { id: _, ...row } = sent
  return row
}

/** Checks the shape of a row; a problem fails only this row. */
export function readRow(sent: unknown, index: number, mode: BulkWrite['mode']): BulkInput | RowFailure {
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
