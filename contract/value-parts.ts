// Values that may be spread over columns of a table.
import type { AttributeType } from './attribute-types.ts'

/** By the type of the attribute; a list of such values is never spread. */
export const VALUE_PARTS: Readonly<Partial<Record<AttributeType, readonly string[]>>> = {
  name: ['firstName', 'lastName'],
  address: ['line1', 'line2', 'city', 'state', 'postalCode', 'country'],
  currency: ['amount', 'currency'],
}
