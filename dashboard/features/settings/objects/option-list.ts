// The edited options of a select attribute, as texts. Some may be empty.

/** The options to send: trimmed, without empty ones. */
export const finished = (options: readonly string[]): string[] =>
  options.map((option) => option.trim()).filter((option) => option !== '')

/** The first repeated option; undefined if all differ. */
export const repeated = (options: readonly string[]): string | undefined =>
  finished(options).find((option, index, all) => all.indexOf(option) < index)

/** Inserts several pasted lines as options: the first replaces the option at `at`, the others follow it. */
export function pasted(options: readonly string[], at: number, text: string): string[] | undefined {
  const lines = finished(text.split(/\r?\n/))
  return lines.length > 1 ? options.toSpliced(at, 1, ...lines) : undefined
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

/** The items with one of them moved. */
export function moved<Item>(items: readonly Item[], from: number, to: number): Item[] {
  const [item] = items.slice(from, from + 1)
  if (item === undefined || to < 0 || to >= items.length) return [...items]
  return items.toSpliced(from, 1).toSpliced(to, 0, item)
}
