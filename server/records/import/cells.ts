// Converts the text of cells to values of the attribute's type, and passes on other text unchanged.
// validation/values.ts then checks the values by the same rules as in every request.
import type { EmptyCells } from '../../../contract/imports.ts'
import { isBlank } from '../../../contract/single-line.ts'
import type { ModelAttribute } from '../../model/attributes/models.ts'
import { jsonOr } from '../types/json-cell.ts'
import { RECORD_TYPES } from '../types/types.ts'
import type { Column } from './columns.ts'

type CellAttribute = Pick<ModelAttribute, 'type' | 'isList' | 'config'>

/** Separates the elements of a list. */
export const SEPARATOR = ';'

/** `a; b`, or a JSON array if the elements cannot be written in the short form. */
function elementsOf(attribute: CellAttribute, cell: string): unknown {
  const json = cell.trimStart().startsWith('[') ? jsonOr(cell) : undefined
  if (Array.isArray(json)) return json.length === 0 ? undefined : json
  const texts = cell.split(SEPARATOR).filter((text) => !isBlank(text))
  return texts.length === 0
    ? undefined
    : texts.map((text) => RECORD_TYPES[attribute.type].fromCell(text.trim(), attribute.config))
}

/** The value of a whole cell; undefined if the cell has no value. */
function cellValue(attribute: CellAttribute, cell: string): unknown {
  if (cell === '') return undefined
  if (attribute.isList || attribute.type === 'list') return elementsOf(attribute, cell)
  const { fromCell, isMultiline } = RECORD_TYPES[attribute.type]
  return isBlank(cell) && !isMultiline ? undefined : fromCell(cell, attribute.config)
}

type Parts = Record<string, string>

/** Without an amount there is no value: a currency column is often filled in every row. */
function moneyOf({ amount = '', currency: code = '' }: Parts): unknown {
  if (isBlank(amount)) return undefined
  return isBlank(code) ? amount.trim() : { amount: amount.trim(), currency: code.trim() }
}

const joined = ({ type }: CellAttribute, parts: Parts) => (type === 'currency' ? moneyOf(parts) : parts)

/** The data of one row. A column without a value is absent, or null if empty cells clear values. */
export function rowData(
  columns: readonly Column[],
  cells: readonly string[],
  empty: EmptyCells = 'keep',
): Record<string, unknown> {
  const data: Record<string, unknown> =
    empty === 'clear' ? Object.fromEntries(columns.map(({ attribute }) => [attribute.slug, null])) : {}
  const spread = new Map<CellAttribute & { slug: string }, Parts>()
  for (const { index, attribute, part } of columns) {
    const cell = cells[index] ?? ''
    // References by value are looked up later (imports/references.ts).
    if (part === undefined || attribute.type === 'reference') {
      const value = cellValue(attribute, cell)
      if (value !== undefined) data[attribute.slug] = value
    } else if (!isBlank(cell)) spread.set(attribute, { ...spread.get(attribute), [part]: cell })
  }
  for (const [attribute, parts] of spread) {
    const value = joined(attribute, parts)
    if (value !== undefined) data[attribute.slug] = value
  }
  return data
}
