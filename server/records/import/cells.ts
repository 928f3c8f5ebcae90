// The text of cells → the values they stand for, by the attribute's type. Whether a value is good is for
// values.ts to say, by the same rules as in every request: what is not understood here is passed on as it is.
import type { AttributeType } from '../../../contract/attribute-types.ts'
import type { ModelAttribute } from '../../attributes/models.ts'
import { parseJson } from '../../json.ts'
import type { Column } from './columns.ts'

type CellAttribute = Pick<ModelAttribute, 'type' | 'isList' | 'config'>

/** What separates the elements of a list. */
export const SEPARATOR = ';'

const asIs = (text: string) => text
const trimmed = (text: string) => text.trim()

const CHECKBOX: Record<string, boolean> = { true: true, yes: true, false: false, no: false }
const checkbox = (text: string) => CHECKBOX[text.trim().toLowerCase()] ?? text.trim()

const CODE_FIRST = /^([A-Za-z]{3})\s*(\S+)$/
const CODE_LAST = /^(\S+)\s*([A-Za-z]{3})$/

function currency(text: string): unknown {
  const cell = text.trim()
  if (cell.startsWith('{')) return jsonOr(cell)
  const first = CODE_FIRST.exec(cell)
  if (first) return { amount: first[2], currency: first[1] }
  const last = CODE_LAST.exec(cell)
  return last ? { amount: last[1], currency: last[2] } : cell
}

const objectOrText = (text: string) => (text.trimStart().startsWith('{') ? jsonOr(text) : text)

function select(text: string, { config }: CellAttribute): string {
  const options = config && 'options' in config ? config.options : []
  return options.includes(text) ? text : text.trim()
}

const READERS: Record<AttributeType, (text: string, attribute: CellAttribute) => unknown> = {
  text: asIs,
  email: trimmed,
  number: trimmed,
  phone_number: asIs,
  checkbox,
  name: objectOrText,
  address: objectOrText,
  currency,
  date: trimmed,
  select,
  list: asIs,
  reference: trimmed,
}

function jsonOr(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return text
  }
}

const isBlank = (text: string) => text.trim() === ''

/** `a; b`, or a JSON array where elements hold what the short form cannot. */
function elementsOf(attribute: CellAttribute, cell: string): unknown {
  const json = cell.trimStart().startsWith('[') ? jsonOr(cell) : undefined
  if (Array.isArray(json)) return json.length === 0 ? undefined : json
  const texts = cell.split(SEPARATOR).filter((text) => !isBlank(text))
  return texts.length === 0 ? undefined : texts.map((text) => READERS[attribute.type](text.trim(), attribute))
}

/** The value of a whole cell; undefined when it has none. */
function cellValue(attribute: CellAttribute, cell: string): unknown {
  if (cell === '') return undefined
  if (attribute.isList || attribute.type === 'list') return elementsOf(attribute, cell)
  const value = READERS[attribute.type](cell, attribute)
  const isText = attribute.type === 'text' || attribute.type === 'select'
  return value === '' || (!isText && isBlank(cell)) ? undefined : value
}

type Parts = Record<string, string>

/** An amount is what makes a value: its currency is often there in every row, and may be the organization's. */
function moneyOf({ amount = '', currency: code = '' }: Parts): unknown {
  if (isBlank(amount)) return undefined
  return isBlank(code) ? amount.trim() : { amount: amount.trim(), currency: code.trim() }
}

const joined = ({ type }: CellAttribute, parts: Parts) => (type === 'currency' ? moneyOf(parts) : parts)

/** The data of one row: slugs of columns without a value are absent. */
export function dataOf(columns: readonly Column[], cells: readonly string[]): Record<string, unknown> {
  const data: Record<string, unknown> = {}
  const spread = new Map<CellAttribute & { slug: string }, Parts>()
  for (const { index, attribute, part } of columns) {
    const cell = cells[index] ?? ''
    if (part === undefined) {
      const value = cellValue(attribute, cell)
      if (value !== undefined) data[attribute.slug] = value
    } else if (cell !== '') spread.set(attribute, { ...spread.get(attribute), [part]: cell })
  }
  for (const [attribute, parts] of spread) {
    const value = joined(attribute, parts)
    if (value !== undefined) data[attribute.slug] = value
  }
  return data
}
