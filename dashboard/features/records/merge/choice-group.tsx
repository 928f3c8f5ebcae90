// A choice of a merge: which record, or whose value of an attribute, is kept.
import { Radio } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import classes from './merge.module.css'

export interface ChoiceOption {
  value: string
  /** Label for screen readers. */
  label: string
  /** Name of the record, shown when the options are below each other. */
  of?: string
  shown: ReactNode
}

interface ChoiceGroupProps {
  name: string
  options: readonly ChoiceOption[]
  value: string
  onChange(value: string): void
}

function Choice({
  option,
  group,
  value,
  onChange,
}: { option: ChoiceOption; group: string } & Pick<ChoiceGroupProps, 'value' | 'onChange'>) {
  const [input, shown] = [useId(), useId()]
  return (
    <label className={classes.option} htmlFor={input}>
      <Radio
        id={input}
        name={group}
        size="xs"
        aria-label={option.label}
        aria-describedby={shown}
        checked={option.value === value}
        onChange={() => onChange(option.value)}
      />
      {/* Inert, because links in the value would leave the dialog. */}
      <span className="fill" id={shown} inert>
        {option.of && <span className={`${classes.of} muted tiny truncate`}>{option.of}</span>}
        <span className="truncate block">{option.shown}</span>
      </span>
    </label>
  )
}

export function ChoiceGroup({ name, options, value, onChange }: ChoiceGroupProps) {
  const group = useId()
  return (
    <div role="radiogroup" aria-label={name} className={classes.group}>
      <span className={classes.legend} aria-hidden>
        {name}
      </span>
      {options.map((option) => (
        <Choice key={option.value} option={option} group={group} value={value} onChange={onChange} />
      ))}
    </div>
  )
}
