// The first rows of a table, with texts only. The page itself adds values that depend on the language and time zone of
// the browser.
import type { Attribute } from '../../contract/attributes.ts'
import { namingAttribute, recordName } from '../../contract/record-name.ts'
import {
  bar,
  escaped,
  type FirstAddress,
  type FirstObject,
  type FirstRecord,
  type FirstRecords,
  firstRecordText,
  type ReadFirst,
} from './first-text.ts'

/** Width in pixels, by type of attribute. */
export type ColumnWidths = Readonly<Record<string, number>>

/** Number of rows: as many as a high window shows. */
const ROWS = 30
/** Number of columns: as many as a wide window shows. */
const COLUMNS = 8

/** A cell as wide as its column (shell-table.css); longer text is cut off. */
const cell = (width: number | 'name', text: string) =>
  `<b class="w-${width}"><span>${escaped(text)}</span></b>`

function tableOf({ pluralName, attributes }: FirstObject, records: FirstRecord[], widths: ColumnWidths) {
  const naming = namingAttribute(attributes)
  const others = attributes.filter(({ slug }) => slug !== naming?.slug).slice(0, COLUMNS)
  const row = (name: string, textIn: (attribute: Attribute) => string) =>
    `<div>${cell('name', name)}${others.map((one) => cell(widths[one.type] ?? 0, textIn(one))).join('')}</div>`
  const rows = records.map((record) => row(recordName(naming, record), (one) => firstRecordText(one, record)))
  const head = row(naming?.name ?? 'Record', ({ name }) => name)
  return `${bar(pluralName)}<div class="shell-bar"></div><div class="shell-table">${head}${rows.join('')}</div>`
}

/** @returns undefined if the visitor may not read the records, there are none, or the address filters them */
export async function firstTable(
  read: ReadFirst,
  { api, object, query }: FirstAddress,
  widths: ColumnWidths,
): Promise<string | undefined> {
  if (query.size > 0) return undefined
  const path = `${api}/objects/${object}`
  const [of, page] = (await Promise.all([read(path), read(`${path}/records?limit=${ROWS}`)])) as [
    FirstObject | undefined,
    FirstRecords | undefined,
  ]
  if (!of?.isActive || !page?.records.length) return undefined
  return tableOf(of, page.records, widths)
}
