// A value in a cell: one line, cut where the cell ends, whole on hover.
import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import { Chip, tintOf } from '../../ui/chip.tsx'
import { useMoment } from '../../ui/time.tsx'
import { useTicking } from '../../ui/use-ticking.ts'
import type { Attribute } from '../api/objects.ts'
import type { CrmRecord } from '../api/records.ts'
import { optionsOf, targetOf } from '../values/attribute-config.ts'
import { formatDay, formatMoney, formatValue, isEmpty, isMoney } from '../values/format.ts'
import { RecordChip } from '../values/record-chip.tsx'
import type { TableColumn } from './columns.ts'
import { ContactCell } from './contact-cell.tsx'
import classes from './grid.module.css'
import { formatNearDay } from './near-day.ts'

function Plain({ text, exact }: { text: string; exact?: string }) {
  return (
    <span className={classes.text} title={exact ?? text}>
      {text}
    </span>
  )
}

function Day({ value }: { value: string }) {
  const text = useTicking((now) => formatNearDay(value, new Date(now)))
  return <Plain text={text} exact={formatDay(value)} />
}

function One({ attribute, value }: { attribute: Attribute; value: unknown }): ReactNode {
  const text = formatValue(attribute, value)
  switch (attribute.type) {
    case 'email':
    case 'phone_number':
      return <ContactCell type={attribute.type} text={text} />
    case 'select':
      return <Chip index={optionsOf(attribute).indexOf(text)}>{text}</Chip>
    case 'list':
      return <Chip index={tintOf(text)}>{text}</Chip>
    case 'reference':
      return <RecordChip objectId={targetOf(attribute) ?? ''} recordId={text} tabIndex={-1} />
    case 'checkbox':
      return <Checked value={value} />
    case 'date':
      return <Day value={String(value)} />
    case 'currency':
      return isMoney(value) ? <Plain text={formatMoney(value)} exact={`${text} ${value.currency}`} /> : null
    default:
      return <Plain text={text} />
  }
}

function Checked({ value }: { value: unknown }) {
  if (value !== true) return <span className="muted">No</span>
  return (
    <span className="inline gap-4">
      <Check size={14} aria-hidden />
      Yes
    </span>
  )
}

const CHIPPED = new Set<Attribute['type']>(['select', 'list', 'reference'])

function Value({ attribute, value }: { attribute: Attribute; value: unknown }): ReactNode {
  if (isEmpty(value)) return null
  if (!Array.isArray(value)) return <One attribute={attribute} value={value} />
  if (!CHIPPED.has(attribute.type)) return <Plain text={formatValue(attribute, value)} />
  return (
    <span className={classes.chips} title={attribute.type === 'reference' ? undefined : value.join(', ')}>
      {value.map((one, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: elements of a value have no identity but their place
        <One key={index} attribute={attribute} value={one} />
      ))}
    </span>
  )
}

const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'medium' })

function MomentCell({ value }: { value: string }) {
  return (
    <time className={classes.text} dateTime={value} title={exact.format(new Date(value))}>
      {useMoment(value)}
    </time>
  )
}

/** What a cell shows; nothing for no value. */
export function CellView({ column, record }: { column: TableColumn; record: CrmRecord }): ReactNode {
  if (column.attribute)
    return <Value attribute={column.attribute} value={record.data[column.attribute.slug]} />
  return <MomentCell value={column.slug === 'created_at' ? record.createdAt : record.updatedAt} />
}
