// What the first contents of documents have in common: where they are read, and how text is written into HTML.
import { type Address, shortAddress } from '../../contract/address-values.ts'
import type { Attribute } from '../../contract/attributes.ts'
import { canName, textNaming } from '../../contract/record-name.ts'

/** Answers as the dashboard's routes answer the visitor; undefined for what is refused. */
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

/** The page's address. */
export interface FirstAddress {
  /** Of the organization in the dashboard's API. */
  api: string
  /** Slug or id; '' where the page is of none. */
  object: string
  /** '' where the page is of none. */
  record: string
  query: URLSearchParams
}

/** More than any place of one line shows. */
const CHARACTERS = 120

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Text as HTML, shortened to what is seen of it. */
export const escaped = (text: string, most = CHARACTERS): string =>
  text.slice(0, most).replace(/[&<>"]/g, (sign) => ESCAPES[sign] ?? sign)

/** A value that tables show as one text, in any language; '' for others. */
export function firstRecordText({ type, isList, slug }: Attribute, { data }: FirstRecord): string {
  const value = data[slug]
  if (type === 'address') return isList || !value ? '' : shortAddress(value as Address)
  return canName({ type, isList }) || (type === 'domain' && !isList) ? textNaming(value) : ''
}

/** The bar of a page, with its title. */
export const bar = (title: string): string =>
  `<div class="shell-bar"><i></i><span>${escaped(title)}</span></div>`
