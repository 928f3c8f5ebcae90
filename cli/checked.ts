// What options come to, held against the schema a request would be held against.
import type { Static, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { invalid } from '../server/errors.ts'
import { problemsOf } from '../server/http/validate.ts'

/** @throws AppError validation_error naming what is wrong */
export function checked<Schema extends TSchema>(schema: Schema, value: unknown): Static<Schema> {
  const check = Compile(schema)
  if (check.Check(value)) return value as Static<Schema>
  throw invalid('validation_error', problemsOf(check.Errors(value)))
}
