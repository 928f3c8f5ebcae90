// Which events are sent: a tree of boxes, each group with one of its own.
import { Checkbox, Input } from '@mantine/core'
import type { EventType } from '../../../../../contract/events.ts'
import classes from './endpoint-form.module.css'
import { ALL_TYPES, BRANCHES, boxOf, type ChosenTypes, toggled, verbOf } from './event-type-tree.ts'

interface EventTypeFieldProps {
  value: ChosenTypes
  onChange(value: ChosenTypes): void
  error: string | undefined
}

interface BoxProps extends Pick<EventTypeFieldProps, 'value' | 'onChange'> {
  types: readonly EventType[]
  label: string
  description?: string
}

function GroupBox({ types, label, description, value, onChange }: BoxProps) {
  const box = boxOf(value, types)
  return (
    <Checkbox
      checked={box === 'checked'}
      indeterminate={box === 'some'}
      onChange={() => onChange(toggled(value, types))}
      label={label}
      description={description}
    />
  )
}

function TypeBox({ type, ...field }: Pick<BoxProps, 'value' | 'onChange'> & { type: EventType }) {
  return (
    <Checkbox
      checked={boxOf(field.value, [type]) === 'checked'}
      onChange={() => field.onChange(toggled(field.value, [type]))}
      label={
        <span className={classes.type}>
          {verbOf(type)} <code>{type}</code>
        </span>
      }
    />
  )
}

export function EventTypeField({ error, ...field }: EventTypeFieldProps) {
  return (
    <fieldset className={classes.fieldset}>
      <legend>
        <Input.Label labelElement="div">Events</Input.Label>
      </legend>
      <div className={classes.tree}>
        <GroupBox
          {...field}
          types={ALL_TYPES}
          label="All events"
          description="Including types that are added later"
        />
        <ul>
          {BRANCHES.map(({ label, types }) => (
            <li key={label}>
              <GroupBox {...field} types={types} label={label} />
              <ul>
                {types.map((type) => (
                  <li key={type}>
                    <TypeBox {...field} type={type} />
                  </li>
                ))}
              </ul>
            </li>
          ))}
        </ul>
      </div>
      {error && <Input.Error role="alert">{error}</Input.Error>}
    </fieldset>
  )
}
