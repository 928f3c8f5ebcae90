// Common parts of the first contents of documents: their sources, and escaping for HTML.
import { type Address, shortAddress } from '../../contract/address-values.ts'
import type { Attribute } from '../../contract/attributes.ts'
import { canName, textNaming } from '../../contract/record-name.ts'

/** Reads a route of the dashboard's API as the visitor; undefined if it is refused. */
export type ReadFirst = (path: string) => Promise<unknown>

export interface FirstObject {
  pluralName: string
  isActive: boolean
  attributes: Attribute[]
}

export interface FirstRecord {
  id: string
  data: Record<string, unknown>
  mergedInto?: string
}

export interface FirstRecords {
  records: FirstRecord[]
}

/** The parts of the page's address. */
export interface FirstAddress {
  /** The path of the organization in the dashboard's API. */
  api: string
  /** Slug or id of the object; '' if the page has none. */
  object: string
  /** Id of the record; '' if the page has none. */
  record: string
  query: URLSearchParams
}

/** Characters of a text: more than any single line shows. */
const CHARACTERS = 120

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Text as HTML, shortened to the visible length. */
export const escaped = (text: string, most = CHARACTERS): string =>
  text.slice(0, most).replace(/[&<>"]/g, (sign) => ESCAPES[sign] ?? sign)

/** The text of a value that tables show the same in every language; '' for other values. */
export function firstRecordText({ type, isList, slug }: Attribute, { data }: FirstRecord): string {
  const value = data[slug]
  if (type === 'address') return isList || !value ? '' : shortAddress(value as Address)
  return canName({ type, isList }) || (type === 'domain' && !isList) ? textNaming(value) : ''
}

export const bar = (title: string): string =>
  `<div class="shell-bar"><i></i><span>${escaped(title)}</span></div>`
