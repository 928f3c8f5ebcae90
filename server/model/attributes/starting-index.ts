// How the values of an attribute are indexed and counted as long as nothing is known of them.
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

/** Types whose text is searched in the middle, where their different values are not counted. */
export const SEARCHED = ATTRIBUTE_TYPES.filter((type) => TYPE_CONTRACTS[type].isFreeText)

/** What is counted of an attribute that few values are known of: presence when every record has its own. */
export function startingCounting({ type, isList, isUnique }: Kind): Counting {
  // Clearing references on deletion changes only the counter of when records changed.
  if (type === 'reference') return 'none'
  if (SUMMABLE.has(type)) return isList ? 'presence' : 'ranges'
  return isUnique ? 'presence' : 'values'
}

/** Whether an attribute that is counted so is searched by index rows. */
export const isSearched = ({ type }: Pick<Kind, 'type'>, counting: Counting): boolean =>
  counting === 'presence' && SEARCHED.includes(type)
