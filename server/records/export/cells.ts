// Converts values to the text of cells, which records/import/cells.ts reads back as equal data. Formulas are escaped
// when rows are written as CSV.
import type { AttributeType } from '../../../contract/attribute-types.ts'
import type { JsonValue } from '../../base/json.ts'
import type { ModelAttribute, ObjectModel } from '../../model/attributes/models.ts'
import { SEPARATOR } from '../import/cells.ts'
import { importParts } from '../import/columns.ts'
import { RECORD_TYPES } from '../types/types.ts'
import { decimalCell } from '../values/number.ts'

export interface ExportColumn {
  header: string
  /** The part of the value in this column, if the column has only a part. */
  part: string | undefined
  cellOf: (data: Record<string, JsonValue>) => string
}

const textOf = (type: AttributeType, value: JsonValue): string => (RECORD_TYPES[type].toCell ?? String)(value)

/** Whether an element cannot be written in the short form, with separators. */
const needsJson = (text: string) => text === '' || text !== text.trim() || text.includes(SEPARATOR)

function listCell(type: AttributeType, values: JsonValue[]): string {
  const texts = values.map((value) => textOf(type, value))
  const short = texts.join(SEPARATOR)
  return texts.some(needsJson) || short.startsWith('[') ? JSON.stringify(values) : short
}

function wholeCell({ type }: ModelAttribute, value: JsonValue | undefined): string {
  if (value === undefined) return ''
  return Array.isArray(value) ? listCell(type, value) : textOf(type, value)
}

function partCell(value: JsonValue | undefined, part: string): string {
  const parts = value as Record<string, JsonValue> | undefined
  const held = parts?.[part]
  if (held === undefined) return ''
  return typeof held === 'string' ? held : decimalCell(held)
}

export function columnsOf(attribute: ModelAttribute): ExportColumn[] {
  const { slug } = attribute
  const parts = importParts(attribute)
  if (parts.length === 0)
    return [{ header: slug, part: undefined, cellOf: (data) => wholeCell(attribute, data[slug]) }]
  return parts.map((part) => ({
    header: `${slug}.${part}`,
    part,
    cellOf: (data) => partCell(data[slug], part),
  }))
}

/** One column per attribute, by displayOrder; names, addresses and amounts have one per part, `slug.part`. */
export const exportColumns = ({ attributes }: Pick<ObjectModel, 'attributes'>): ExportColumn[] =>
  [...attributes.values()].flatMap(columnsOf)
