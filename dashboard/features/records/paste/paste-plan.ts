// What pasting a block of cells would do: which attributes of which rows it fills, in the forms that the service reads.
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
  /** Of the columns that can be changed, in order. */
  attributes: readonly Attribute[]
  /** One text for each attribute, by row of the block. */
  rows: readonly (readonly string[])[]
  /** The texts of the block, for messages. */
  shown: readonly (readonly string[])[]
  /** The row of the table that the first one goes into. */
  top: number
  /** The first row of the block names the columns. */
  hasHeader: boolean
  /** Columns of the block that have no place in the table. */
  beyond: number
  /** Names of columns that cannot be changed, such as Created. */
  readOnly: readonly string[]
}

const NOTHING: CopiedCell = { text: '' }

/** What is between values of which none has the sign in it. */
const COMMA_LISTS: readonly Attribute['type'][] = ['select', 'email', 'list', 'phone_number', 'domain']

/** `a, b` as the service separates them. */
function listText({ type }: Attribute, text: string): string {
  const lines = text.replaceAll(/\r?\n/g, '; ')
  return COMMA_LISTS.includes(type) && !lines.includes(';') ? lines.replaceAll(/,\s*/g, '; ') : lines
}

const exactText = (value: unknown): string =>
  typeof value === 'object' ? JSON.stringify(value) : String(value)

/** A value that was copied from an attribute of the same kind is pasted as it is, other text as it reads. */
export function serviceText(attribute: Attribute, { text, kind, value }: CopiedCell): string {
  if (kind === kindOf(attribute)) return exactText(value)
  if (holdsMany(attribute)) return listText(attribute, text)
  if (attribute.type === 'currency' && isMoney(value)) return exactText(value)
  return EDITORS[attribute.type].fromPasted?.(text) ?? text
}

/** @param visible the columns of the table */
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

/** Without the row that names the columns: the others move up. */
export const withoutHeader = (plan: PastePlan): PastePlan => ({
  ...plan,
  rows: plan.rows.slice(1),
  shown: plan.shown.slice(1),
})
