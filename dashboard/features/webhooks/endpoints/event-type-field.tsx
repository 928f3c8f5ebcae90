// Chooses the event types to send: a tree of checkboxes, with one for each group.
import { Checkbox, Input } from '@mantine/core'
import type { EventType } from '../../../../contract/events.ts'
import { ALL_TYPES, BRANCHES, boxOf, type ChosenTypes, toggled, verbOf } from './event-type-tree.ts'

const INSIDE = { padding: '8px 0 0 28px' }

interface EventTypeFieldProps {
  value: ChosenTypes
  onChange(value: ChosenTypes): void
  error: string | undefined
}

interface BoxProps extends Pick<EventTypeFieldProps, 'value' | 'onChange'> {
  types: readonly EventType[]
  label: string
}

function GroupBox({ types, label, value, onChange }: BoxProps) {
  const box = boxOf(value, types)
  return (
    <Checkbox
      checked={box === 'checked'}
      indeterminate={box === 'some'}
      onChange={() => onChange(toggled(value, types))}
      label={label}
    />
  )
}

function TypeBox({ type, ...field }: Pick<BoxProps, 'value' | 'onChange'> & { type: EventType }) {
  return (
    <Checkbox
      checked={boxOf(field.value, [type]) === 'checked'}
      onChange={() => field.onChange(toggled(field.value, [type]))}
      label={
        <span className="inline wrap" style={{ columnGap: 8 }}>
          {verbOf(type)} <code className="muted">{type}</code>
        </span>
      }
    />
  )
}

export function EventTypeField({ error, ...field }: EventTypeFieldProps) {
  return (
    <fieldset>
      <legend>
        <Input.Label labelElement="div">Events</Input.Label>
      </legend>
      <div className="box">
        <GroupBox {...field} types={ALL_TYPES} label="All events" />
        <ul className="stack gap-8" style={INSIDE}>
          {BRANCHES.map(({ label, types }) => (
            <li key={label}>
              <GroupBox {...field} types={types} label={label} />
              <ul className="stack gap-8" style={INSIDE}>
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
