// Writes cells as an HTML table for the clipboard, with their exact values, so that copying within the dashboard loses
// nothing.

export interface CopiedCell {
  text: string
  /** The kind of the value, such as `currency`. Absent for a cell that only has a text. */
  kind?: string
  /** In the form of the API. */
  value?: unknown
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (text: string) => text.replaceAll(/[&<>"]/g, (sign) => ESCAPES[sign] ?? sign)

const cellHtml = ({ text, kind, value }: CopiedCell) => {
  const own =
    kind === undefined ? '' : ` data-kind="${escaped(kind)}" data-value="${escaped(JSON.stringify(value))}"`
  return `<td${own}>${escaped(text).replaceAll(/\r?\n/g, '<br>')}</td>`
}

export const toHtmlTable = (rows: readonly (readonly CopiedCell[])[]): string =>
  `<table>${rows.map((cells) => `<tr>${cells.map(cellHtml).join('')}</tr>`).join('')}</table>`
