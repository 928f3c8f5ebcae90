// How the values of a new attribute are indexed and counted while its values are unknown.
import {
  ATTRIBUTE_TYPES,
  type AttributeType,
  SUMMABLE,
  TYPE_CONTRACTS,
} from '../../../contract/attribute-types.ts'
import type { Counting } from './object-index.ts'

interface Kind {
  type: AttributeType
  isList: boolean
  isUnique: boolean
}

/** Types with a text search for any part of the text, if their different values are not counted. */
export const SEARCHED = ATTRIBUTE_TYPES.filter((type) => TYPE_CONTRACTS[type].isFreeText)

/** The counting of an attribute with few known values: presence if every record has a different value. */
export function startingCounting({ type, isList, isUnique }: Kind): Counting {
  // Without counters, clearing references on a deletion changes only the counter of change times.
  if (type === 'reference') return 'none'
  if (SUMMABLE.has(type)) return isList ? 'presence' : 'ranges'
  return isUnique ? 'presence' : 'values'
}

/** Whether an attribute with this counting has index rows for the text search. */
export const isSearched = ({ type }: Pick<Kind, 'type'>, counting: Counting): boolean =>
  counting === 'presence' && SEARCHED.includes(type)
