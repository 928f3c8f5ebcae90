// What options come to, held against the schema a request would be held against.
import type { Static, TSchema } from 'typebox'
import { invalid } from '../server/base/errors.ts'
import { shapeCheck } from '../server/http/validate.ts'

/** @throws AppError validation_error naming what is wrong */
export function checked<Schema extends TSchema>(schema: Schema, value: unknown): Static<Schema> {
  const problems = shapeCheck(schema, 'The file')(value)
  if (problems.length > 0) throw invalid('validation_error', problems)
  return value as Static<Schema>
}
