// The choices for rows with cells that cannot be used, by column.
import { mustBeGiven } from '../../../../contract/default-values.ts'
import type { CheckResult, MappedColumn, OnProblem } from '../../../../contract/imports.ts'
import type { Attribute } from '../../../shared/api/objects.ts'
import type { Import } from '../api.ts'
import { canCreate, type Into, targetOf } from './mapping.ts'

export interface ProblemColumn {
  column: MappedColumn
  header: string
  attribute: Attribute
  /** Rows with a cell that cannot be used. */
  rows: number
  choices: OnProblem[]
}

/** Problems without a choice: the value itself is valid, the cell is empty, or the row cannot be read. */
const HAS_NO_CHOICE = new Set(['unique_violation', 'required', 'broken_row'])

type Checked = Pick<Import, 'columns' | 'mapping' | 'matchOn'>

/** Columns with cells that cannot be used, in the order of the file. */
export function problemColumns(
  file: Checked,
  { groups }: Pick<CheckResult, 'groups'>,
  into: Into,
): ProblemColumn[] {
  return (file.mapping ?? []).flatMap((column) => {
    const { header = '' } = file.columns[column.index] ?? {}
    const attribute = into.attributes.find(({ slug }) => slug === column.attributeSlug)
    const own = groups.filter((group) => group.column === header && !HAS_NO_CHOICE.has(group.code))
    const isNeeded = (attribute && mustBeGiven(attribute)) || column.attributeSlug === file.matchOn
    if (!attribute || own.length === 0 || isNeeded) return []
    const rows = own.reduce((sum, group) => sum + group.rows, 0)
    const creates: OnProblem[] = canCreate(into, targetOf(column)) ? ['create'] : []
    return [{ column, header, attribute, rows, choices: [...creates, 'skip', 'fail'] }]
  })
}

export const withChoice = (
  mapping: readonly MappedColumn[],
  index: number,
  onProblem: OnProblem,
): MappedColumn[] => mapping.map((column) => (column.index === index ? { ...column, onProblem } : column))
