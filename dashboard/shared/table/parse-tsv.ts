// Parses tab-separated text in the form that spreadsheets copy.

const QUOTED = /"((?:[^"]|"")*)"(?=[\t\n\r]|$)/y
const PLAIN = /[^\t\n\r]*/y
const END = /\t|\r\n|\n|\r/y

function match(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}

/** A quote inside a cell, or one that is never closed, is ordinary text. */
function cellAt(text: string, at: number): { cell: string; end: number } {
  const quotes = match(QUOTED, text, at)
  if (quotes) return { cell: (quotes[1] ?? '').replaceAll('""', '"'), end: at + quotes[0].length }
  const cell = match(PLAIN, text, at)?.[0] ?? ''
  return { cell, end: at + cell.length }
}

/** @returns rows of any length; a line break at the end of the text starts no row */
export function parseTsv(text: string): string[][] {
  let row: string[] = []
  const rows = [row]
  for (let at = 0; ; ) {
    const { cell, end } = cellAt(text, at)
    row.push(cell)
    const separator = match(END, text, end)?.[0]
    if (separator === undefined) return rows
    at = end + separator.length
    if (separator === '\t') continue
    if (at === text.length) return rows
    row = []
    rows.push(row)
  }
}
