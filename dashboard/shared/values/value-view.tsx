// A value as people read it, one component per family of types.
import type { ReactNode } from 'react'
import { Chip, tintOf } from '../../ui/chip.tsx'
import type { Attribute } from '../api/objects.ts'
import { optionsOf, targetOf } from './attribute-config.ts'
import { formatValue, isEmpty } from './format.ts'
import { RecordChip } from './record-chip.tsx'
import classes from './values.module.css'

const contact = (scheme: 'mailto' | 'tel', text: string) => (
  <a className={classes.contact} href={`${scheme}:${text.replace(/\s/g, '')}`}>
    {text}
  </a>
)

function One({ attribute, value }: { attribute: Attribute; value: unknown }): ReactNode {
  const text = formatValue(attribute, value)
  switch (attribute.type) {
    case 'email':
      return contact('mailto', text)
    case 'phone_number':
      return contact('tel', text)
    case 'select':
      return <Chip index={optionsOf(attribute).indexOf(text)}>{text}</Chip>
    case 'list':
      return <Chip index={tintOf(text)}>{text}</Chip>
    case 'reference':
      return <RecordChip objectId={targetOf(attribute) ?? ''} recordId={text} />
    default:
      return text
  }
}

/** Nothing for no value: an empty cell is empty. */
export function ValueView({ attribute, value }: { attribute: Attribute; value: unknown }): ReactNode {
  if (isEmpty(value)) return null
  if (!Array.isArray(value)) return <One attribute={attribute} value={value} />
  const separated = attribute.type !== 'list' && attribute.type !== 'select' && attribute.type !== 'reference'
  return (
    <span className={classes.many}>
      {value.map((one, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: elements of a value have no identity but their place
        <span key={index}>
          <One attribute={attribute} value={one} />
          {separated && index < value.length - 1 && ', '}
        </span>
      ))}
    </span>
  )
}
