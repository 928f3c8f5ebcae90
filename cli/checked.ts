// Checks values of options against the schemas of requests.
import type { Static, TSchema } from 'typebox'
import { invalid } from '../server/base/errors.ts'
import { shapeCheck } from '../server/http/validate.ts'

/** @throws AppError validation_error with all problems */
export function checked<Schema extends TSchema>(schema: Schema, value: unknown): Static<Schema> {
  const problems = shapeCheck(schema, 'The file')(value)
  if (problems.length > 0) throw invalid('validation_error', problems)
  return value as Static<Schema>
}
