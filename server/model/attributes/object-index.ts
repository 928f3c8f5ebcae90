// The index rows and counters that are stored in addition to an object's records, and whether reads may use them.
import type { AttributeType } from '../../../contract/attribute-types.ts'

/** none: not stored. building: every write maintains them, but they are incomplete. ready: complete. */
export type IndexState = 'none' | 'building' | 'ready'

/** presence: number of records with a value. values, ranges: also the number of records per value or range. */
export type Counting = 'none' | 'presence' | 'values' | 'ranges'

export interface IndexedAttribute {
  attr: number
  slug: string
  type: AttributeType
  isList: boolean
  /** State of index_text or index_number, and of index_missing if `keepsMissing`. */
  state: IndexState
  /** State of the text search: marked rows of index_text, and index_search for long texts. */
  search: IndexState
  counting: Counting
  /** Whether reads may use the counters. Writes maintain the counters from the start. */
  isCounted: boolean
  keepsMissing: boolean
  /** Records may contain options that reads replace by others. */
  isRenaming?: boolean
}

export interface ObjectIndex {
  state: Exclude<IndexState, 'none'>
  /** By slug. Includes inactive attributes, because deleted records may have values of them. */
  attributes: ReadonlyMap<string, IndexedAttribute>
  /**
   * Whether reads may use the counters of records, which become readable together with the counters of all attributes.
   */
  isCounted: boolean
}

export interface ObjectIndexRow {
  state: IndexState
  attributes: IndexedAttribute[]
}

const unready = (state: IndexState): IndexState => (state === 'none' ? 'none' : 'building')

/** Index rows and counters contain the stored values, not the options that replace them in reads. */
const readable = (one: IndexedAttribute): IndexedAttribute =>
  one.isRenaming ? { ...one, state: unready(one.state), search: unready(one.search), isCounted: false } : one

/** @returns undefined if nothing is stored */
export function objectIndex({ state, attributes }: ObjectIndexRow): ObjectIndex | undefined {
  if (state === 'none') return undefined
  const counted = attributes.filter(({ counting }) => counting !== 'none')
  return {
    state,
    attributes: new Map(attributes.map((one) => [one.slug, readable(one)])),
    isCounted: counted.length > 0 && counted.every(({ isCounted }) => isCounted),
  }
}
