// References by value: `{"domain": "acme.com"}` in place of the id of a company.
import { isObject, isRawNumber } from '../../base/json.ts'

/**
 * Maximum of different references by value in a request, per referenced object: more would block the event loop too
 * long.
 */
export const REFERENCE_VALUES_MAX = 10_000

export const isReferenceValue = (value: unknown): value is Record<string, unknown> =>
  isObject(value) && !isRawNumber(value)

/** The key of a sent reference. @param slug of the attribute that refers */
export const referenceKey = (slug: string, value: Record<string, unknown>): string =>
  `${slug} ${JSON.stringify(value)}`
