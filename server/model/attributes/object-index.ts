// What is stored in addition to an object's records: which index rows and counters, and whether they may be read.
import type { AttributeType } from '../../../contract/attribute-types.ts'

/** none: not kept. building: kept with every write, not complete yet. ready: complete. */
export type IndexState = 'none' | 'building' | 'ready'

/** presence: how many records have a value; values, ranges: also how many have which. */
export type Counting = 'none' | 'presence' | 'values' | 'ranges'

export interface IndexedAttribute {
  attr: number
  slug: string
  type: AttributeType
  isList: boolean
  /** Of index_text or index_number, and of index_missing when `keepsMissing`. */
  state: IndexState
  /** Of what is searched: marked rows of index_text, and index_search for long texts. */
  search: IndexState
  counting: Counting
  /** Whether the counters may be read; they are kept from the beginning. */
  isCounted: boolean
  keepsMissing: boolean
  /** Records may hold options that are read as others. */
  isRenaming?: boolean
}

export interface ObjectIndex {
  state: Exclude<IndexState, 'none'>
  /** By slug; inactive attributes too, since what is deleted may have values of theirs. */
  attributes: ReadonlyMap<string, IndexedAttribute>
  /** Whether the counters of the records themselves may be read: those of all attributes became readable with them. */
  isCounted: boolean
}

export interface ObjectIndexRow {
  state: IndexState
  attributes: IndexedAttribute[]
}

const unready = (state: IndexState): IndexState => (state === 'none' ? 'none' : 'building')

/** Index rows and counters are of the values as records hold them: not of what these are read as. */
const readable = (one: IndexedAttribute): IndexedAttribute =>
  one.isRenaming ? { ...one, state: unready(one.state), search: unready(one.search), isCounted: false } : one

/** @returns undefined when nothing is kept */
export function objectIndex({ state, attributes }: ObjectIndexRow): ObjectIndex | undefined {
  if (state === 'none') return undefined
  const counted = attributes.filter(({ counting }) => counting !== 'none')
  return {
    state,
    attributes: new Map(attributes.map((one) => [one.slug, readable(one)])),
    isCounted: counted.length > 0 && counted.every(({ isCounted }) => isCounted),
  }
}
