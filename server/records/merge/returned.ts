// Computes a list after a merge is undone. Pure.

interface Undone<Element> {
  winner: string
  /** All records that were merged into the winner. */
  losers: ReadonlySet<string>
  /** The losers that exist again as records. */
  back: ReadonlySet<string>
  idOf: (element: Element) => string
  withId: (element: Element, id: string) => Element
}

const isSame = (a: readonly string[], b: readonly string[]) =>
  a.length === b.length && a.every((id, index) => id === b[index])

/**
 * @param now the current list @param change the list before and after the merge
 * @returns undefined if the winner was removed from the list since the merge: the list then stays unchanged
 */
export function returned<Element>(
  now: readonly Element[],
  { before, after }: Record<'before' | 'after', readonly Element[]>,
  { winner, losers, back, idOf, withId }: Undone<Element>,
): Element[] | undefined {
  // Replaces permanently deleted losers by the winner.
  const replaced = before.map((one) =>
    losers.has(idOf(one)) && !back.has(idOf(one)) ? withId(one, winner) : one,
  )
  const was = replaced.filter(
    (one, index) => replaced.findIndex((other) => idOf(other) === idOf(one)) === index,
  )
  if (isSame(now.map(idOf), after.map(idOf))) return was
  if (!now.some((one) => idOf(one) === winner)) return undefined
  const present = new Set(now.map(idOf))
  const merged = was.filter(
    (one) => idOf(one) === winner || (losers.has(idOf(one)) && !present.has(idOf(one))),
  )
  return now.flatMap((one) => (idOf(one) === winner ? merged : [one]))
}
