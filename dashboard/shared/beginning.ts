const SHOWN = 80

/** The beginning of a text, on one line and in quotes, as the name of what has no other. */
export function beginningOf(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ')
  return `“${line.length > SHOWN ? `${line.slice(0, SHOWN - 1)}…` : line}”`
}
