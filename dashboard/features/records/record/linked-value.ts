// The value of a reference attribute once it also points to a record.
import type { Attribute } from '../../../shared/api/objects.ts'

/** @param value what is there; of a list the record is added at the end, once */
export function linkedValue(
  { isList }: Pick<Attribute, 'isList'>,
  value: unknown,
  recordId: string,
): unknown {
  if (!isList) return recordId
  const ids = Array.isArray(value) ? value : []
  return ids.includes(recordId) ? ids : [...ids, recordId]
}

/** The value once it does not point to the record any more; null for none. */
export function unlinkedValue(
  { isList }: Pick<Attribute, 'isList'>,
  value: unknown,
  recordId: string,
): unknown {
  const rest = isList && Array.isArray(value) ? value.filter((id) => id !== recordId) : []
  return rest.length > 0 ? rest : null
}
