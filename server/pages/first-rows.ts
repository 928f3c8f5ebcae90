// The first rows of a table, in the document of its page: they are read while the scripts are still on their way.
// Texts alone; what depends on the reader's language and time zone is drawn by the page itself.
import type { Attribute } from '../../contract/attributes.ts'
import { canName, namingAttribute, recordName, textNaming } from '../../contract/record-name.ts'

/** What a page is read from, as the dashboard's routes answer. @param signal ends the request */
export type Read = (path: string, signal: AbortSignal) => Promise<unknown>

interface ObjectAnswer {
  pluralName: string
  isActive: boolean
  attributes: Attribute[]
}
interface RecordsAnswer {
  records: { id: string; data: Record<string, unknown> }[]
}

/** By type of attribute, in pixels. */
export type ColumnWidths = Readonly<Record<string, number>>

/** As many as a high window shows. */
const ROWS = 30
/** As many as a wide window shows. */
const COLUMNS = 8
/** More than any column shows. */
const CHARACTERS = 120

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => ESCAPES[sign] ?? sign)

/** A cell as wide as its column (shell.css), cut where it ends. */
const cell = (width: number | 'name', text: string) =>
  `<b class="w-${width}"><span>${escaped(text.slice(0, CHARACTERS))}</span></b>`

function tableOf(
  { pluralName, attributes }: ObjectAnswer,
  records: RecordsAnswer['records'],
  widths: ColumnWidths,
) {
  const naming = namingAttribute(attributes)
  const others = attributes.filter(({ slug }) => slug !== naming?.slug).slice(0, COLUMNS)
  const row = (name: string, textIn: (attribute: Attribute) => string) =>
    `<div>${cell('name', name)}${others.map((one) => cell(widths[one.type] ?? 0, textIn(one))).join('')}</div>`
  const rows = records.map((record) =>
    row(recordName(naming, record), (one) => (canName(one) ? textNaming(record.data[one.slug]) : '')),
  )
  const head = row(naming?.name ?? 'Record', ({ name }) => name)
  return `<div class="shell-bar"><i></i><span>${escaped(pluralName)}</span></div><div class="shell-bar"></div><div class="shell-table">${head}${rows.join('')}</div>`
}

/** @returns the part of the document; undefined where the visitor may not read it, or there are none */
export async function firstRows(
  read: (path: string) => Promise<unknown>,
  object: string,
  widths: ColumnWidths,
): Promise<string | undefined> {
  const [of, page] = (await Promise.all([read(object), read(`${object}/records?limit=${ROWS}`)])) as [
    ObjectAnswer | undefined,
    RecordsAnswer | undefined,
  ]
  if (!of?.isActive || !page?.records.length) return undefined
  return tableOf(of, page.records, widths)
}
