const SHOWN = 80

/** The beginning of a text, on one line and in quotes. It names items that have no name. */
export function beginningOf(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ')
  return `“${line.length > SHOWN ? `${line.slice(0, SHOWN - 1)}…` : line}”`
}
