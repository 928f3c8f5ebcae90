// How the folders of the server depend on each other: circles, floors, and imports that lead up.

/** From each folder to those that it imports, with the number of imports. */
export type Imports = ReadonlyMap<string, ReadonlyMap<string, number>>

const targetsOf = (imports: Imports, from: string): string[] => [...(imports.get(from)?.keys() ?? [])]

function reachedFrom(imports: Imports, from: string): Set<string> {
  const reached = new Set(targetsOf(imports, from))
  for (const one of reached) for (const next of targetsOf(imports, one)) reached.add(next)
  return reached
}

/** @returns the largest group of folders of which each reaches all the others; empty: there is no circle */
export function largestCircle(imports: Imports): string[] {
  const reached = new Map([...imports.keys()].map((folder) => [folder, reachedFrom(imports, folder)]))
  const groups = [...imports.keys()].map((folder) =>
    [...(reached.get(folder) ?? [])].filter((other) => reached.get(other)?.has(folder)),
  )
  return groups.reduce((largest, group) => (group.length > largest.length ? group : largest), []).sort()
}

const sumOf = (counts: Iterable<number>): number => [...counts].reduce((sum, count) => sum + count, 0)

/** Imports of `folder` by what is left, without what it imports of it itself: who is imported most is lowest. */
function balance(imports: Imports, folder: string, left: ReadonlySet<string>): number {
  const among = (from: string, isTo: (to: string) => boolean) =>
    sumOf([...(imports.get(from) ?? [])].map(([to, count]) => (left.has(to) && isTo(to) ? count : 0)))
  const incoming = sumOf([...left].map((from) => among(from, (to) => to === folder)))
  return incoming - among(folder, (to) => to !== folder)
}

/**
 * Folders from the lowest to the highest, with few imports upward (Eades, Lin and Smyth, 1993): first those that import
 * nothing of what is left, then the one that is imported most often compared with what it imports.
 */
export function fromLowest(imports: Imports): string[] {
  const left = new Set([...imports.keys()].sort())
  const order: string[] = []
  while (left.size > 0) {
    const isFree = (folder: string) =>
      targetsOf(imports, folder).every((to) => to === folder || !left.has(to))
    const best = (one: string, other: string) =>
      balance(imports, other, left) > balance(imports, one, left) ? other : one
    const next = [...left].find(isFree) ?? [...left].reduce(best)
    order.push(next)
    left.delete(next)
  }
  return order
}

export interface Floors {
  /** The length of the longest chain of folders of which each imports the next one below. */
  floors: number
  /** Pairs of folders of which the lower one imports the higher one. */
  upward: string[]
}

export function floorsOf(imports: Imports): Floors {
  const heights = new Map<string, number>()
  const upward: string[] = []
  const order = fromLowest(imports)
  for (const folder of order) {
    const targets = targetsOf(imports, folder).filter((to) => to !== folder)
    upward.push(...targets.filter((to) => !heights.has(to)).map((to) => `${folder} → ${to}`))
    heights.set(folder, 1 + Math.max(0, ...targets.map((to) => heights.get(to) ?? 0)))
  }
  return { floors: Math.max(0, ...heights.values()), upward }
}
