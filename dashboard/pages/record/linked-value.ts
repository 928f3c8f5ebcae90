// The value of a reference attribute once it also points to a record.
import type { Attribute } from '../../api/objects.ts'

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
