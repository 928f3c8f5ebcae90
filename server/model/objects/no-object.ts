import { STANDARD_OBJECTS } from '../../../contract/standard-objects.ts'
import { type AppError, notFound } from '../../base/errors.ts'
import { nearest } from '../../base/suggestions.ts'

/** Every organization has these objects, so an error may suggest their slugs without revealing anything. */
const STANDARD_SLUGS = STANDARD_OBJECTS.map(({ slug }) => slug)

/** @param ref the requested id or slug */
export function noObject(ref: string): AppError {
  const near = nearest(ref, STANDARD_SLUGS)
  return notFound('object', near === undefined ? 'check its id or slug' : `did you mean "${near}"?`)
}
