// Adds a record to the value of a reference attribute, or removes it.
import type { Attribute } from '../../../shared/api/objects.ts'

/** @param value the current value; in a list, the record is added at the end unless it is there already */
export function linkedValue(
  { isList }: Pick<Attribute, 'isList'>,
  value: unknown,
  recordId: string,
): unknown {
  if (!isList) return recordId
  const ids = Array.isArray(value) ? value : []
  return ids.includes(recordId) ? ids : [...ids, recordId]
}

/** @returns the value without the record; null if nothing is left */
export function unlinkedValue(
  { isList }: Pick<Attribute, 'isList'>,
  value: unknown,
  recordId: string,
): unknown {
  const rest = isList && Array.isArray(value) ? value.filter((id) => id !== recordId) : []
  return rest.length > 0 ? rest : null
}
