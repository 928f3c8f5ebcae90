// Shared functions of record steps. These use the same services as requests, with the same rules.
import { AppError } from '../../base/errors.ts'
import { parseJson } from '../../base/json.ts'
import type { RecordOf } from '../../records/read/record-of.ts'
import { recordJson } from '../../records/rows/stored-record.ts'
import { emptyTextAsNull, isPlainObject } from '../interpreter/values.ts'
import { StepFailure } from './failure.ts'
import type { StepWork } from './step.ts'

export interface FoundRecord {
  id: string
  objectId: string
  data: Record<string, unknown>
  createdAt: string
  updatedAt: string
}

/** The values that a step writes. */
export const stepData = ({ input: { data } }: StepWork): unknown =>
  isPlainObject(data) ? emptyTextAsNull(data) : data

/** Whether the step creates the records that references name by a value that no record has. */
export const createsMissing = ({ input }: StepWork): boolean => input['createMissing'] === true

export const stepText = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')

/** The id or slug of the step's object. @throws StepFailure when it was deleted */
export async function objectOf({ ctx, caller, input }: StepWork): Promise<string> {
  const ref = stepText(input['object'])
  try {
    return (await ctx.models.get(ctx.db, caller.org, ref)).id
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found')
      throw new StepFailure(`There is no object "${ref}": choose the object of this step again.`)
    throw error
  }
}

const missingRecord = (id: unknown) =>
  new StepFailure(
    `There is no record ${stepText(id) || '(the step was given no id)'} in the object of this step.`,
  )

/** Replaces a 404 error by a StepFailure that names the record. */
export const namingOneRecord =
  (id: unknown) =>
  (error: unknown): never => {
    throw error instanceof AppError && error.code === 'not_found' ? missingRecord(id) : error
  }

export const parsed = ({ model, record }: RecordOf) => parseJson(recordJson(model, record)) as FoundRecord

export const written = (of: RecordOf) => {
  const { id, objectId, data } = parsed(of)
  return { id, objectId, data }
}
