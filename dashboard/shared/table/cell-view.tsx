// Shows a value in a cell: one line, cut at the end of the cell. The tooltip has the full text.
import type { ReactNode } from 'react'
import { TYPES } from '../../types/types.ts'
import { ColumnTime } from '../../ui/time.tsx'
import type { Attribute } from '../api/objects.ts'
import type { CrmRecord } from '../api/records.ts'
import { namedBy } from '../values/attribute-config.ts'
import { isEmpty } from '../values/format.ts'
import { formatValue } from '../values/format-value.ts'
import classes from './cell.module.css'
import type { TableColumn } from './columns.ts'
import { PlainCell } from './plain-cell.tsx'

function One({ attribute, value }: { attribute: Attribute; value: unknown }): ReactNode {
  const text = formatValue(attribute, value)
  const { cell } = TYPES[attribute.type]
  return cell ? cell({ attribute, value, text }) : <PlainCell text={text} />
}

function Value({ attribute, value }: { attribute: Attribute; value: unknown }): ReactNode {
  if (isEmpty(value)) return null
  if (!Array.isArray(value)) return <One attribute={attribute} value={value} />
  if (!TYPES[attribute.type].isChip) return <PlainCell text={formatValue(attribute, value)} />
  return (
    <span className={classes.chips} title={namedBy(attribute) === undefined ? value.join(', ') : undefined}>
      {value.map((one, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: elements of a value have no identity but their place
        <One key={index} attribute={attribute} value={one} />
      ))}
    </span>
  )
}

/** The content of a cell; nothing if there is no value. */
export function CellView({ column, record }: { column: TableColumn; record: CrmRecord }): ReactNode {
  if (column.attribute)
    return <Value attribute={column.attribute} value={record.data[column.attribute.slug]} />
  return <ColumnTime value={column.slug === 'created_at' ? record.createdAt : record.updatedAt} />
}
