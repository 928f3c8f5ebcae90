// Divides the rows of a request that refer to records of the same object, so that the references of a row are looked up
// after the earlier rows that they depend on are written, and before later ones.

/** What a row means for the references of other rows. */
export interface OrderedRow {
  /** Keys of the values by which references may name the record of the row. */
  gives: readonly string[]
  /** Keys of the values that the references of the row name. */
  names: readonly string[]
  /** Ids of the records that had these values before the request. */
  named: readonly string[]
  /** The record whose values the row may replace; null if it is not known. undefined: it replaces none. */
  replaces?: string | null | undefined
}

/** The record that each row of an upsert is matched on, in the order of the rows. */
export class MatchedRecords {
  readonly #holders: ReadonlyMap<string, string>
  readonly #given = new Set<string>()

  /** @param holders ids of the records that had the values before the request, by key */
  constructor(holders: ReadonlyMap<string, string>) {
    this.#holders = holders
  }

  /** Key of the value that the row is matched on. @returns null if an earlier row decides which record it is */
  of(match: string | undefined): string | null | undefined {
    if (match === undefined) return undefined
    return this.#given.has(match) ? null : this.#holders.get(match)
  }

  /** Notes the keys of the unique values of a row, after it was matched. */
  add(keys: readonly string[]): void {
    for (const key of keys) this.#given.add(key)
  }
}

/**
 * Whether rows may overtake others: each has its own unique values, and none replaces a value.
 * @param keys of the unique values of all rows
 */
export const areIndependent = (keys: readonly string[], rows: readonly OrderedRow[]): boolean =>
  new Set(keys).size === keys.length && rows.every(({ replaces }) => replaces === undefined)

/** The last part in which each key occurred. */
class LastParts {
  readonly #parts = new Map<string, number>()

  add(keys: readonly string[], part: number): void {
    for (const key of keys) this.#parts.set(key, Math.max(part, this.#parts.get(key) ?? 0))
  }

  /** -1 if none of the keys occurred. */
  of(keys: readonly string[]): number {
    let last = -1
    for (const key of keys) last = Math.max(last, this.#parts.get(key) ?? -1)
    return last
  }
}

/** The part of each row, from 0. */
class PartsOfRows {
  readonly #given = new LastParts()
  readonly #named = new LastParts()
  readonly #replaced = new LastParts()
  #replacedUnknown = -1
  #replacedAny = -1

  /** The last part whose rows must be written before the references of the row are looked up. */
  #lastNeeded({ names, named }: OrderedRow): number {
    if (names.length === 0) return -1
    const given = this.#given.of(names)
    // A row may have given the value to any record, from which a later row may have taken it.
    const replaced = given < 0 ? this.#replaced.of(named) : this.#replacedAny
    return Math.max(given, replaced, this.#replacedUnknown)
  }

  /** @param first the first part that the row may be in */
  partOf(row: OrderedRow, first: number): number {
    const part = Math.max(first, this.#lastNeeded(row) + 1, this.#named.of(row.gives))
    this.#given.add(row.gives, part)
    this.#named.add(row.names, part)
    const { replaces } = row
    if (replaces !== undefined) this.#replacedAny = Math.max(this.#replacedAny, part)
    if (replaces === null) this.#replacedUnknown = Math.max(this.#replacedUnknown, part)
    else if (replaces !== undefined) this.#replaced.add([replaces], part)
    return part
  }
}

/**
 * @param isOrdered false: rows may overtake rows that they do not depend on, so that there are fewer parts
 * @returns the places of the rows of each part, in order
 */
export function partsOf(rows: readonly OrderedRow[], isOrdered: boolean): number[][] {
  const parts = new PartsOfRows()
  const places: number[][] = []
  let last = 0
  for (const [place, row] of rows.entries()) {
    const part = parts.partOf(row, isOrdered ? last : 0)
    last = Math.max(last, part)
    const some = places[part] ?? []
    some.push(place)
    places[part] = some
  }
  return places.filter((some) => some.length > 0)
}
