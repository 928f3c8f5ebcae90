// Cells as a table of HTML on the clipboard, with their values, so that what is copied here is pasted without a loss.

export interface CopiedCell {
  text: string
  /** What the value is of, such as `currency`; absent for what is only shown. */
  kind?: string
  /** As the API has it. */
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
