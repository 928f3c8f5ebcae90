// What a list becomes when a merge is undone. Pure.

interface Undone<Element> {
  winner: string
  /** Every record that was merged into it. */
  losers: ReadonlySet<string>
  /** The losers that are records again. */
  back: ReadonlySet<string>
  idOf: (element: Element) => string
  withId: (element: Element, id: string) => Element
}

const isSame = (a: readonly string[], b: readonly string[]) =>
  a.length === b.length && a.every((id, index) => id === b[index])

/**
 * @param now the list as it is @param change what the merge made of it
 * @returns undefined when the winner was removed from the list since: the list stays as it is
 */
export function returned<Element>(
  now: readonly Element[],
  { before, after }: Record<'before' | 'after', readonly Element[]>,
  { winner, losers, back, idOf, withId }: Undone<Element>,
): Element[] | undefined {
  // What was deleted for good since stays with the winner.
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
