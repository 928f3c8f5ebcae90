// Chooses which index rows and counters an attribute gets, by the values in a sample of its records. Pure.
import type { Counting, IndexedAttribute } from '../../../model/attributes/object-index.ts'
import { isSearched, startingCounting } from '../../../model/attributes/starting-index.ts'
import { isMultiValue } from '../index/index-keys.ts'

/** The values of an attribute in a sample of records. */
export interface SampledAttribute extends Pick<IndexedAttribute, 'attr' | 'type' | 'isList'> {
  isUnique: boolean
  /** Records with a value. */
  present: number
  /** Number of values, and how many of them are different. Each element of a list counts. */
  values: number
  different: number
  /** Length of the longest value, in characters. */
  longest: number
}

export interface Choice {
  attr: number
  counting: Counting
  isSearched: boolean
  keepsMissing: boolean
}

/** Longer values are not counted one by one, so that a row of a counter stays small. */
export const VALUE_CHARACTERS_MAX = 200
/** Values are counted one by one up to this number of different values in the sample. */
const FEW_VALUES = 2500
/** Up to this number, values are counted even if each record has a different one. */
const VERY_FEW_VALUES = 100
const MOST = 0.8

/** More than VERY_FEW_VALUES must occur twice on average: otherwise the next records bring as many new values. */
const isFew = ({ values, different, longest }: SampledAttribute) =>
  longest <= VALUE_CHARACTERS_MAX &&
  different <= FEW_VALUES &&
  (different <= VERY_FEW_VALUES || different * 2 <= values)

function countingOf(attribute: SampledAttribute): Counting {
  const counting = startingCounting(attribute)
  return counting === 'values' && !isFew(attribute) ? 'presence' : counting
}

/** @param records the number of records in the sample */
export function chooseIndex(attribute: SampledAttribute, records: number): Choice {
  const counting = countingOf(attribute)
  return {
    attr: attribute.attr,
    counting,
    isSearched: isSearched(attribute, counting),
    keepsMissing:
      !isMultiValue(attribute) && attribute.type !== 'reference' && attribute.present >= records * MOST,
  }
}
