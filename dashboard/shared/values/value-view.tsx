// Shows a value in the form for people.
import type { ReactNode } from 'react'
import { TYPES } from '../../types/types.ts'
import type { Attribute } from '../api/objects.ts'
import { isEmpty } from './format.ts'
import { formatValue } from './format-value.ts'
import classes from './values.module.css'

function One({ attribute, value }: { attribute: Attribute; value: unknown }): ReactNode {
  const text = formatValue(attribute, value)
  const { view } = TYPES[attribute.type]
  return view ? view({ attribute, value, text }) : text
}

/** Shows nothing if there is no value: an empty cell stays empty. */
export function ValueView({ attribute, value }: { attribute: Attribute; value: unknown }): ReactNode {
  if (isEmpty(value)) return null
  if (!Array.isArray(value)) return <One attribute={attribute} value={value} />
  const { isChip } = TYPES[attribute.type]
  return (
    <span className={classes.many}>
      {value.map((one, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: elements of a value have no identity but their place
        <span key={index}>
          <One attribute={attribute} value={one} />
          {!isChip && index < value.length - 1 && ', '}
        </span>
      ))}
    </span>
  )
}
