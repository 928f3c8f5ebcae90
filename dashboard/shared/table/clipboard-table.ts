// Reads an HTML table from the clipboard. Spreadsheets write it in addition to plain text, which loses details. Cells
// that were copied here also contain their values.
import type { CopiedCell } from './clipboard-html.ts'

/** A cell of an HTML table, which may span several columns and rows. */
export interface SpanningCell extends CopiedCell {
  columns: number
  rows: number
}

/** The largest accepted span. A page may declare any number. */
const SPAN_MAX = 1000
const spanOf = (span: number) => Math.min(SPAN_MAX, Math.max(1, span))

/** Resolves spans: the first cell of a merged range has the value, the others are empty. */
export function withoutSpans(rows: readonly (readonly SpanningCell[])[]): CopiedCell[][] {
  const placed: CopiedCell[][] = rows.map(() => [])
  for (const [at, cells] of rows.entries()) {
    let column = 0
    for (const { columns, rows: height, ...cell } of cells) {
      while (placed[at]?.[column]) column++
      const bottom = Math.min(rows.length, at + spanOf(height))
      for (let row = at; row < bottom; row++)
        for (let across = 0; across < spanOf(columns); across++) {
          const line = placed[row]
          if (line) line[column + across] = row === at && across === 0 ? cell : { text: '' }
        }
      column += spanOf(columns)
    }
  }
  return placed.map((cells) => Array.from(cells, (cell) => cell ?? { text: '' }))
}

/** The text as a browser shows it: line breaks in the source become spaces. */
function shownText(cell: HTMLTableCellElement): string {
  for (const lineBreak of cell.querySelectorAll('br')) lineBreak.replaceWith('\u0000')
  return (cell.textContent ?? '')
    .replaceAll(/[\t\n\r ]+/g, ' ')
    .split('\u0000')
    .map((line) => line.replaceAll('\u00a0', ' ').trim())
    .join('\n')
}

function parsedValue(json: string | undefined): unknown {
  try {
    return json === undefined ? undefined : JSON.parse(json)
  } catch {
    return undefined
  }
}

function readCell(cell: HTMLTableCellElement): SpanningCell {
  const { kind, value: json } = cell.dataset
  const value = parsedValue(json)
  return {
    text: shownText(cell),
    columns: cell.colSpan,
    rows: cell.rowSpan,
    ...(kind !== undefined && value !== undefined && { kind, value }),
  }
}

/** The cells of the first table. @returns undefined if there is no table */
export function readHtmlTable(html: string): CopiedCell[][] | undefined {
  const table = new DOMParser().parseFromString(html, 'text/html').querySelector('table')
  if (!table || table.rows.length === 0) return undefined
  return withoutSpans([...table.rows].map((row) => [...row.cells].map(readCell)))
}
