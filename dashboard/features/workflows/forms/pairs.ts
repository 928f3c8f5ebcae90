// Names and values whose order is that in which they were added.

type Pairs = Readonly<Record<string, unknown>>

/** The name itself, or with the first number that is free. */
export function freeName(pairs: Pairs, base: string): string {
  if (!Object.hasOwn(pairs, base)) return base
  for (let number = 2; ; number += 1) if (!Object.hasOwn(pairs, `${base}${number}`)) return `${base}${number}`
}

/** At its place under another name; one that is taken changes nothing. */
export const renamedPair = (pairs: Pairs, from: string, to: string): Pairs =>
  Object.hasOwn(pairs, to)
    ? pairs
    : Object.fromEntries(Object.entries(pairs).map(([name, value]) => [name === from ? to : name, value]))

export const withoutPair = (pairs: Pairs, removed: string): Pairs =>
  Object.fromEntries(Object.entries(pairs).filter(([name]) => name !== removed))
