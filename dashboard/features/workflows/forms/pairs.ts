// Pairs of names and values, in the order in which they were added.

type Pairs = Readonly<Record<string, unknown>>

/** The name itself, or with the first unused number. */
export function freeName(pairs: Pairs, base: string): string {
  if (!Object.hasOwn(pairs, base)) return base
  for (let number = 2; ; number += 1) if (!Object.hasOwn(pairs, `${base}${number}`)) return `${base}${number}`
}

/** Renames a pair and keeps its position. A used name changes nothing. */
export const renamedPair = (pairs: Pairs, from: string, to: string): Pairs =>
  Object.hasOwn(pairs, to)
    ? pairs
    : Object.fromEntries(Object.entries(pairs).map(([name, value]) => [name === from ? to : name, value]))

export const withoutPair = (pairs: Pairs, removed: string): Pairs =>
  Object.fromEntries(Object.entries(pairs).filter(([name]) => name !== removed))
