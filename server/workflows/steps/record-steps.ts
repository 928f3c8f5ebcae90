// Steps on records: through the same services as requests, with the same rules.

import { PAGE_LIMIT_MAX } from '../../../contract/limits.ts'
import type { SearchBody } from '../../../contract/records.ts'
import { LOOP_ITEMS_MAX } from '../../../contract/workflow-states.ts'
import { AppError } from '../../errors.ts'
import { isRawNumber, parseJson } from '../../json.ts'
import { bulkWrite } from '../../records/bulk.ts'
import { getRecord, searchRecords } from '../../records/reading.ts'
import { createRecord, deleteRecord, patchRecord, type RecordOf } from '../../records/service.ts'
import { recordJson } from '../../records/store.ts'
import { StepFailure } from './failure.ts'
import type { StepWork } from './step-work.ts'

interface FoundRecord {
  id: string
  objectId: string
  data: Record<string, unknown>
  createdAt: string
  updatedAt: string
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')

/** The id or slug of the step's object. @throws StepFailure when it is gone */
async function objectOf({ ctx, caller, input }: StepWork): Promise<string> {
  const ref = textOf(input['object'])
  try {
    return (await ctx.models.get(ctx.db, caller.org, ref)).id
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found')
      throw new StepFailure(`There is no object "${ref}": choose the object of this step again.`)
    throw error
  }
}

const goneRecord = (id: unknown) =>
  new StepFailure(
    `There is no record ${textOf(id) || '(the step was given no id)'} in the object of this step.`,
  )

/** Of one record, a 404 names it. */
const naming =
  (id: unknown) =>
  (error: unknown): never => {
    throw error instanceof AppError && error.code === 'not_found' ? goneRecord(id) : error
  }

const parsed = ({ model, record }: RecordOf) => parseJson(recordJson(model, record)) as FoundRecord

const written = (of: RecordOf) => {
  const { id, objectId, data } = parsed(of)
  return { id, objectId, data }
}

/** Filters compare texts: a number with many digits is one, too. */
function operands(value: unknown): unknown {
  if (isRawNumber(value)) return value.rawJSON
  if (Array.isArray(value)) return value.map(operands)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, operands(one)]))
}

const picked = (record: FoundRecord, fields: unknown): FoundRecord => {
  if (!Array.isArray(fields) || fields.length === 0) return record
  const data = Object.entries(record.data).filter(([slug]) => fields.includes(slug))
  return { ...record, data: Object.fromEntries(data) }
}

/** The form of a step begins with an empty filter. */
const hasConditions = (filter: unknown) =>
  typeof filter === 'object' && filter !== null && Object.values(filter).flat().length > 0

function searchOf({ filter, sort }: StepWork['input']): SearchBody {
  return {
    ...(hasConditions(filter) && { filter: operands(filter) as SearchBody['filter'] }),
    ...(sort !== undefined && { sort: sort as SearchBody['sort'] }),
    count: false,
  } as SearchBody
}

const FOUND_DEFAULT = 20

/** @throws StepFailure */
function wantedOf(limit: unknown = FOUND_DEFAULT): number {
  if (typeof limit === 'number' && Number.isInteger(limit) && limit > 0)
    return Math.min(limit, LOOP_ITEMS_MAX)
  throw new StepFailure(`limit: must be a whole number from 1 to ${LOOP_ITEMS_MAX}.`)
}

/** Pages of one snapshot are not promised: what is written meanwhile by others may move. */
export async function findRecords(work: StepWork) {
  const { ctx, caller, input } = work
  const object = await objectOf(work)
  const wanted = wantedOf(input['limit'])
  const records: FoundRecord[] = []
  let cursor: string | undefined
  do {
    const limit = Math.min(PAGE_LIMIT_MAX, wanted - records.length)
    const body = { ...searchOf(input), limit, ...(cursor !== undefined && { cursor }) }
    const page = parseJson(await searchRecords(ctx, caller, object, body)) as {
      records: FoundRecord[]
      pagination: { nextCursor?: string }
    }
    records.push(...page.records.map((record) => picked(record, input['fields'])))
    cursor = page.pagination.nextCursor
  } while (cursor !== undefined && records.length < wanted)
  return { count: records.length, records }
}

export async function getOneRecord(work: StepWork) {
  const { ctx, caller, input } = work
  const object = await objectOf(work)
  try {
    return { found: true, record: parsed(await getRecord(ctx, caller, object, textOf(input['recordId']))) }
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return { found: false, record: null }
    throw error
  }
}

export async function createOneRecord(work: StepWork) {
  const { ctx, caller, input } = work
  return written(await createRecord(ctx, caller, await objectOf(work), input['data']))
}

export async function updateOneRecord(work: StepWork) {
  const { ctx, caller, input } = work
  const { recordId, data } = input
  const patch = { recordId: textOf(recordId), data, ifMatch: undefined }
  return written(await patchRecord(ctx, caller, await objectOf(work), patch).catch(naming(recordId)))
}

export async function upsertOneRecord(work: StepWork) {
  const { ctx, caller, input } = work
  const object = await objectOf(work)
  const { results, failed } = await bulkWrite(ctx, caller, object, {
    mode: 'upsert',
    matchOn: textOf(input['matchOn']),
    records: [{ data: (input['data'] ?? {}) as Record<string, unknown> }],
  })
  const [result] = results
  if (!result?.id) throw new StepFailure(failed[0]?.error ?? 'The record was neither created nor updated.')
  const record = written(await getRecord(ctx, caller, object, result.id))
  return { ...record, created: result.status === 'created' }
}

export async function deleteOneRecord(work: StepWork) {
  const { ctx, caller, input } = work
  const { recordId } = input
  const deletion = { recordId: textOf(recordId), ifMatch: undefined }
  const id = await deleteRecord(ctx, caller, await objectOf(work), deletion).catch(naming(recordId))
  return { id, deleted: true }
}
