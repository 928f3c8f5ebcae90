// Which index rows and counters an attribute gets, by what a sample of its records holds. Pure.
import type { Counting, IndexedAttribute } from '../../../model/attributes/object-index.ts'
import { isSearched, startingCounting } from '../../../model/attributes/starting-index.ts'
import { isMultiValue } from '../index/index-keys.ts'

/** What a sample of records holds of an attribute. */
export interface SampledAttribute extends Pick<IndexedAttribute, 'attr' | 'type' | 'isList'> {
  isUnique: boolean
  /** Records with a value. */
  present: number
  /** Values, of which `different` are different; elements of lists count each. */
  values: number
  different: number
  /** Characters of the longest. */
  longest: number
}

export interface Choice {
  attr: number
  counting: Counting
  isSearched: boolean
  keepsMissing: boolean
}

/** Longer values are not counted one by one: a row of a counter stays small. */
export const VALUE_CHARACTERS_MAX = 200
/** Different values in the sample up to which each is counted. */
const FEW_VALUES = 2500
/** Fewer are counted even when each record has its own. */
const VERY_FEW_VALUES = 100
const MOST = 0.8

/** More than a handful must come twice on average: otherwise the next records bring as many new ones. */
const isFew = ({ values, different, longest }: SampledAttribute) =>
  longest <= VALUE_CHARACTERS_MAX &&
  different <= FEW_VALUES &&
  (different <= VERY_FEW_VALUES || different * 2 <= values)

function countingOf(attribute: SampledAttribute): Counting {
  const counting = startingCounting(attribute)
  return counting === 'values' && !isFew(attribute) ? 'presence' : counting
}

/** @param records how many the sample has */
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
