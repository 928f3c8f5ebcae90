/** The items with one of them moved. */
export function moved<Item>(items: readonly Item[], from: number, to: number): Item[] {
  const item = items[from]
  if (item === undefined || to < 0 || to >= items.length) return [...items]
  return items.toSpliced(from, 1).toSpliced(to, 0, item)
}

interface Move {
  item: string
  /** The item that it followed before the move; undefined: it was the first. */
  from: string | undefined
  /** The item that it followed after the move. */
  to: string | undefined
}

/** Undoes a move; others keep their order. @returns undefined if it was moved since, or `from` is missing */
export function movedBack(items: readonly string[], { item, from, to }: Move): string[] | undefined {
  const at = items.indexOf(item)
  if (at < 0 || items[at - 1] !== to) return undefined
  const others = items.toSpliced(at, 1)
  if (from === undefined) return [item, ...others]
  const place = others.indexOf(from) + 1
  return place === 0 ? undefined : others.toSpliced(place, 0, item)
}
