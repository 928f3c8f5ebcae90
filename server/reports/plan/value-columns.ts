// Plans a report without groups: rows of values.
import sql, { empty, join, type Sql } from 'sql-template-tag'
import type { ReportColumnChoice, ResultColumn } from '../../../contract/reports.ts'
import { comparableText, NUMERIC } from '../../records/filters/comparable.ts'
import { RECORD_TYPES } from '../../records/types/types.ts'
import { type Cell, plainReportCell, referenceCell, textCell } from './cells.ts'
import { type PlannedField, planField } from './fields.ts'
import { optionsIn, optionsOf } from './groups.ts'
import { n, x } from './names.ts'
import { fromObjects, ofSource, type PlannedObject } from './objects.ts'
import type { ReportOrder } from './ordering.ts'
import type { Planning } from './planning.ts'
import { joinName, type NamedTarget, namedTarget, numberIn, orderOf } from './values.ts'

export interface PlannedColumn {
  column: ResultColumn
  field: PlannedField
  /** For a single reference: the target, whose records have names. */
  target: NamedTarget | undefined
}

export function planColumns(
  planning: Planning,
  objects: readonly PlannedObject[],
  inputs: readonly ReportColumnChoice[],
): PlannedColumn[] {
  const columns = inputs.map((input, index) => {
    const field = planField(planning, objects, { field: input.field, path: `columns[${index}].field` })
    if (!field) return undefined
    const { attribute, attributeId, timestamp } = field
    const target = attribute.isList ? undefined : namedTarget(planning, field)
    const column: ResultColumn = {
      key: input.key,
      label: input.label ?? attribute.name,
      type: timestamp ? 'timestamp' : attribute.type,
      role: 'value',
      ...(target?.id !== undefined && { objectId: target.id }),
      ...(attributeId !== undefined && { attributeId }),
      ...optionsIn(field),
    }
    return { column, field, target }
  })
  return columns.filter((column) => column !== undefined)
}

/** The displayed value as text: JSON if it is stored as JSON. */
function shownValue({ field: { attribute, timestamp, stored, text, object }, target }: PlannedColumn): Sql {
  if (timestamp) return sql`to_char(${timestamp} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
  if (target) return text
  // Values that are compared in a normalized form are shown as they were sent.
  return RECORD_TYPES[attribute.type].hasComparable
    ? sql`(${object.row}.data->${attribute.slug}::text)::text`
    : sql`(${stored})::text`
}

const cellOf = ({ column, target }: PlannedColumn, index: number): Cell => {
  if (target) return referenceCell(`x${index}`, `n${index}`)
  return column.type === 'timestamp' ? textCell(`x${index}`) : plainReportCell(`x${index}`)
}

export const columnCells = (columns: readonly PlannedColumn[]): Cell[] => columns.map(cellOf)

function columnOrder({ field, target }: PlannedColumn, index: number, order: 'asc' | 'desc'): Sql {
  const { attribute, timestamp, stored } = field
  if (timestamp) return sql`${timestamp} ${order === 'asc' ? sql`asc` : sql`desc`} nulls last`
  const isNumber = !attribute.isList && NUMERIC.has(attribute.type)
  if (isNumber) return orderOf({ kind: 'number', options: undefined }, numberIn(field, stored), order)
  const options = attribute.isList ? undefined : optionsOf(field)
  const text = target
    ? sql`${n(index)}.name`
    : comparableText(attribute.isList ? 'list' : attribute.type, stored)
  return orderOf({ kind: 'text', options }, text, order)
}

interface ColumnStatement {
  objects: readonly PlannedObject[]
  columns: readonly PlannedColumn[]
  filters: Sql | undefined
  orders: readonly ReportOrder[]
  limit: number
}

/** Rows of texts `x0`, `x1`, …, and the names `n0`, … of references. */
export function columnStatement({ objects, columns, filters, orders, limit }: ColumnStatement): Sql {
  const sortedNames = orders.flatMap(({ index }) => {
    const { target, field } = columns[index] ?? {}
    return target && field ? [joinName(target, { id: field.text, name: n(index) })] : []
  })
  const names = columns.flatMap(({ target }, index) =>
    target ? [joinName(target, { id: sql`page.${x(index)}`, name: n(index) })] : [],
  )
  const sorted = orders.flatMap(({ index, order }) => {
    const column = columns[index]
    return column ? [columnOrder(column, index, order)] : []
  })
  const ties = objects.map(({ row }) => sql`${row}.id`)
  const shown = columns.map(
    (column, index) => sql`page.${x(index)}${column.target ? sql`, ${n(index)}.name as ${n(index)}` : empty}`,
  )
  return sql`
    select ${join(shown)} from (
      select found.*, row_number() over () as place from (
        select ${join(columns.map((column, index) => sql`${shownValue(column)} as ${x(index)}`))}
        from ${fromObjects(objects)}${join([empty, ...sortedNames], '')}
        where ${ofSource(objects)}${filters ? sql` and ${filters}` : empty}
        order by ${join([...sorted, ...ties])}
        limit ${limit}) as found) as page${join([empty, ...names], '')}
    order by page.place`
}
