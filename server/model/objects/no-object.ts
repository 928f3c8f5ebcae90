import { STANDARD_OBJECTS } from '../../../contract/standard-objects.ts'
import { type AppError, notFound } from '../../base/errors.ts'
import { nearest } from '../../base/suggestions.ts'

/** Every organization has these, so their names tell a caller nothing. */
const STANDARD_SLUGS = STANDARD_OBJECTS.map(({ slug }) => slug)

/** @param ref the id or slug that was asked for */
export function noObject(ref: string): AppError {
  const near = nearest(ref, STANDARD_SLUGS)
  return notFound('object', near === undefined ? 'check its id or slug' : `did you mean "${near}"?`)
}
