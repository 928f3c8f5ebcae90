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
