// Cells as tab-separated text, as spreadsheets paste it.

/** A row of one empty cell is quoted: an empty line at the end is none. */
const quoted = (text: string, isOnlyCell: boolean) =>
  /[\t\n\r]|^"/.test(text) || (isOnlyCell && text === '') ? `"${text.replaceAll('"', '""')}"` : text

export const toTsv = (rows: readonly (readonly string[])[]): string =>
  rows.map((cells) => cells.map((cell) => quoted(cell, cells.length === 1)).join('\t')).join('\n')
