// The plan of pasting a block of cells: the attributes and rows to fill, with texts that the service can read.
import type { Attribute } from '../../../shared/api/objects.ts'
import type { CopiedCell } from '../../../shared/table/clipboard-html.ts'
import { kindOf } from '../../../shared/table/clipboard-kind.ts'
import type { TableColumn } from '../../../shared/table/columns.ts'
import { blockFor, hasHeader } from '../../../shared/table/pasted-block.ts'
import type { CellRange } from '../../../shared/table/table-context.ts'
import { isMoney } from '../../../shared/values/format.ts'
import { EDITORS } from '../../../types/editors/editors.ts'
import { holdsMany } from '../../../types/types.ts'

export interface PastedBlock {
  range: CellRange
  cells: readonly (readonly CopiedCell[])[]
}

export interface PastePlan {
  /** The attributes of the editable columns, in order. */
  attributes: readonly Attribute[]
  /** One text for each attribute, by row of the block. */
  rows: readonly (readonly string[])[]
  /** The texts of the block, for messages. */
  shown: readonly (readonly string[])[]
  /** The row of the table for the first row of the block. */
  top: number
  /** Whether the first row of the block contains the names of the columns. */
  hasHeader: boolean
  /** Number of columns of the block beyond the last column of the table. */
  beyond: number
  /** Names of columns that cannot be changed, such as Created. */
  readOnly: readonly string[]
}

const NOTHING: CopiedCell = { text: '' }

/** Types whose values contain no comma, so that a comma can separate them. */
const COMMA_LISTS: readonly Attribute['type'][] = ['select', 'email', 'list', 'phone_number', 'domain']

/** Replaces the separators of a list by semicolons, which the service expects. */
function listText({ type }: Attribute, text: string): string {
  const lines = text.replaceAll(/\r?\n/g, '; ')
  return COMMA_LISTS.includes(type) && !lines.includes(';') ? lines.replaceAll(/,\s*/g, '; ') : lines
}

const exactText = (value: unknown): string =>
  typeof value === 'object' ? JSON.stringify(value) : String(value)

/** A value copied from an attribute of the same kind is pasted exactly. Other text is converted. */
export function serviceText(attribute: Attribute, { text, kind, value }: CopiedCell): string {
  if (kind === kindOf(attribute)) return exactText(value)
  if (holdsMany(attribute)) return listText(attribute, text)
  if (attribute.type === 'currency' && isMoney(value)) return exactText(value)
  return EDITORS[attribute.type].fromPasted?.(text) ?? text
}

/** @param visible the visible columns of the table */
export function planOf({ range, cells }: PastedBlock, visible: readonly TableColumn[]): PastePlan {
  const left = visible.findIndex(({ slug }) => slug === range.columns[0]?.slug)
  const width = Math.max(...cells.map(({ length }) => length))
  const place = { ...range, width: range.columns.length, columnsLeft: visible.length - left }
  const block = blockFor(cells, place, NOTHING)
  const columns = visible.slice(left, left + (block[0]?.length ?? 0))
  const editable = columns.flatMap(({ attribute }, at) => (attribute ? [{ attribute, at }] : []))
  const texts = block.map((row) => row.map(({ text }) => text))
  const named = columns.map(({ name }) => name)
  return {
    attributes: editable.map(({ attribute }) => attribute),
    rows: block.map((row) => editable.map(({ attribute, at }) => serviceText(attribute, row[at] ?? NOTHING))),
    shown: texts.map((row) => editable.map(({ at }) => row[at] ?? '')),
    top: range.top,
    hasHeader: hasHeader(texts, named),
    beyond: Math.max(0, width - place.columnsLeft),
    readOnly: columns.flatMap(({ attribute, name }) => (attribute ? [] : [name])),
  }
}

/** Removes the header row, so that the other rows move up. */
export const withoutHeader = (plan: PastePlan): PastePlan => ({
  ...plan,
  rows: plan.rows.slice(1),
  shown: plan.shown.slice(1),
})
