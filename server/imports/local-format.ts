// Converts local formats of dates and numbers to the formats of the API. Other texts stay unchanged, and the check of
// values rejects them.
import type { AttributeType } from '../../contract/attributes.ts'
import type { CellFormat } from '../../contract/imports.ts'
import { readDay, readMoney, readNumber } from '../../contract/local-format.ts'
import { isBlank, singleLine } from '../../contract/single-line.ts'
import { unescapeFormula } from '../../contract/spreadsheet-text.ts'
import type { ModelAttribute } from '../model/attributes/models.ts'

function readOption(text: string, { config }: Pick<ModelAttribute, 'config'>): string {
  const options = config && 'options' in config ? config.options : []
  const named = singleLine(text).toLowerCase()
  if (options.includes(text)) return text
  return options.find((option) => singleLine(option).toLowerCase() === named) ?? text
}

type Reader = (text: string, format: CellFormat, attribute: Pick<ModelAttribute, 'config'>) => string

const READERS: Partial<Record<AttributeType, Reader>> = {
  date: (text, format) => readDay(text, format),
  number: readNumber,
  currency: readMoney,
  select: (text, _, attribute) => readOption(text, attribute),
}

const PART_READERS: Readonly<Record<string, (text: string, format: CellFormat) => string>> = {
  amount: readNumber,
}

export interface CellTarget {
  attribute: Pick<ModelAttribute, 'type' | 'isList' | 'config'>
  part: string | undefined
}

/** Converts a cell to the form that records/import/cells.ts reads. Lists stay unchanged. */
export function plainCell(cell: string, { attribute, part }: CellTarget, format: CellFormat): string {
  const text = unescapeFormula(cell)
  if (isBlank(text) || attribute.isList || attribute.type === 'reference') return text
  if (part !== undefined) return PART_READERS[part]?.(text, format) ?? text
  return READERS[attribute.type]?.(text, format, attribute) ?? text
}

/** Converts all cells of a row. */
export function plainCells(
  cells: readonly string[],
  columns: readonly (CellTarget & { index: number })[],
  format: CellFormat,
): string[] {
  const plain = [...cells]
  for (const column of columns) plain[column.index] = plainCell(cells[column.index] ?? '', column, format)
  return plain
}
