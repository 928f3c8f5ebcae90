// The options of a select attribute while they are edited: one text each, some still empty.

/** The options as they go out: trimmed, without empty ones. */
export const finished = (options: readonly string[]): string[] =>
  options.map((option) => option.trim()).filter((option) => option !== '')

/** The first option that is there twice; undefined when all differ. */
export const repeated = (options: readonly string[]): string | undefined =>
  finished(options).find((option, index, all) => all.indexOf(option) < index)

/** What several pasted lines become: the first goes where it was pasted, the others after it. */
export function pasted(options: readonly string[], at: number, text: string): string[] | undefined {
  const lines = finished(text.split(/\r?\n/))
  return lines.length > 1 ? options.toSpliced(at, 1, ...lines) : undefined
}

/** The same things with one of them in another place. */
export function moved<Item>(items: readonly Item[], from: number, to: number): Item[] {
  const [item] = items.slice(from, from + 1)
  if (item === undefined || to < 0 || to >= items.length) return [...items]
  return items.toSpliced(from, 1).toSpliced(to, 0, item)
}
