// The dependencies between the folders of the server: cycles, levels, and upward imports.

/** For each folder, the folders that it imports with the number of imports. */
export type Imports = ReadonlyMap<string, ReadonlyMap<string, number>>

const targetsOf = (imports: Imports, from: string): string[] => [...(imports.get(from)?.keys() ?? [])]

function reachedFrom(imports: Imports, from: string): Set<string> {
  const reached = new Set(targetsOf(imports, from))
  for (const one of reached) for (const next of targetsOf(imports, one)) reached.add(next)
  return reached
}

/** @returns the largest group of folders that all import each other, directly or not; empty: there is no cycle */
export function largestCircle(imports: Imports): string[] {
  const reached = new Map([...imports.keys()].map((folder) => [folder, reachedFrom(imports, folder)]))
  const groups = [...imports.keys()].map((folder) =>
    [...(reached.get(folder) ?? [])].filter((other) => reached.get(other)?.has(folder)),
  )
  return groups.reduce((largest, group) => (group.length > largest.length ? group : largest), []).sort()
}

const sumOf = (counts: Iterable<number>): number => [...counts].reduce((sum, count) => sum + count, 0)

/** The imports of `folder` by the other folders in `left`, minus its imports of them: the largest balance is lowest. */
function balance(imports: Imports, folder: string, left: ReadonlySet<string>): number {
  const among = (from: string, isTo: (to: string) => boolean) =>
    sumOf([...(imports.get(from) ?? [])].map(([to, count]) => (left.has(to) && isTo(to) ? count : 0)))
  const incoming = sumOf([...left].map((from) => among(from, (to) => to === folder)))
  return incoming - among(folder, (to) => to !== folder)
}

/**
 * Folders from the lowest to the highest, with few upward imports (Eades, Lin and Smyth, 1993). The next folder is one
 * that imports none of the remaining folders, or else the folder with the largest balance.
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
  /** The length of the longest chain of folders, in which each folder imports the next lower one. */
  floors: number
  /** Pairs of folders in which the lower one imports the higher one. */
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
