// Detects the delimiter of a CSV file from its first lines.

export type Delimiter = ',' | ';' | '\t'

/** On a tie the first one wins. */
const DELIMITERS: readonly Delimiter[] = [',', ';', '\t']
const LINES = 20

/** The number of cells of each of the first rows; quotes hide what is within them. */
function widths(text: string, delimiter: Delimiter, isWhole: boolean): number[] {
  const found: number[] = []
  let cells = 1
  let isQuoted = false
  let length = 0
  for (const character of text) {
    if (character === '"') isQuoted = !isQuoted
    else if (!isQuoted && character === delimiter) cells++
    if ((character !== '\n' && character !== '\r') || isQuoted) {
      length++
      continue
    }
    if (length > 0) found.push(cells)
    if (found.length === LINES) return found
    cells = 1
    length = 0
  }
  return length > 0 && (isWhole || found.length === 0) ? [...found, cells] : found
}

/** Rows with as many cells as the first one are evidence for a delimiter; more cells are stronger evidence. */
function score([header = 1, ...rows]: readonly number[]): number {
  if (header === 1) return 0
  const alike = rows.filter((width) => width === header).length
  const share = rows.length === 0 ? 1 : alike / rows.length
  return share + Math.min(header, 100) / 1000
}

/** @param text the beginning of the file; `isWhole` when it is all of it */
export function detectDelimiter(text: string, isWhole: boolean): Delimiter {
  const scores = DELIMITERS.map((delimiter) => score(widths(text, delimiter, isWhole)))
  return DELIMITERS[scores.indexOf(Math.max(...scores))] ?? ','
}
