// Writes cells as tab-separated text for spreadsheets.

/** A row with one empty cell is quoted, because parsers ignore an empty line at the end. */
const quoted = (text: string, isOnlyCell: boolean) =>
  /[\t\n\r]|^"/.test(text) || (isOnlyCell && text === '') ? `"${text.replaceAll('"', '""')}"` : text

export const toTsv = (rows: readonly (readonly string[])[]): string =>
  rows.map((cells) => cells.map((cell) => quoted(cell, cells.length === 1)).join('\t')).join('\n')
