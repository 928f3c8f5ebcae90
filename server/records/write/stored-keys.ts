// Computes the keys of stored values in `uniques`, for attributes that were not unique when the values were written.
import { inNfc } from '../../../contract/single-line.ts'
import { isRawNumber } from '../../base/json.ts'
import { RECORD_TYPES } from '../types/types.ts'
import type { ValueAttribute } from '../values/attribute.ts'
import { comparedHost } from '../values/compared-host.ts'
import { canonicalDecimal } from '../values/number.ts'
import { ruledKey } from '../values/unique-keys.ts'

/** Stored values include their country. */
const NO_LOCALE = { country: '', currency: '' }

type KeyedAttribute = Pick<ValueAttribute, 'type' | 'config'>

/** The normal form, as the `check` of the type returns it. */
function normalOf({ type }: KeyedAttribute, stored: unknown): string {
  // An old text without a host name is compared case-sensitively.
  if (type === 'domain') return comparedHost(String(stored)) ?? String(stored)
  if (type !== 'number') return RECORD_TYPES[type].textIn?.(stored, NO_LOCALE) ?? String(stored)
  const text = isRawNumber(stored) ? stored.rawJSON : String(stored)
  return canonicalDecimal(text) ?? text
}

/**
 * The keys without duplicates.
 * @param value one or a list, undefined or null for none
 * @param comparable its normal forms, for types whose records store them in addition to their data
 */
export function keysOfStored(attribute: KeyedAttribute, value: unknown, comparable: unknown): string[] {
  const normals = [comparable ?? value ?? []].flat().map((one) => normalOf(attribute, one))
  const present = normals.map(inNfc).filter((normal) => normal !== '')
  return [...new Set(present.map((normal) => ruledKey(attribute, normal)))]
}
