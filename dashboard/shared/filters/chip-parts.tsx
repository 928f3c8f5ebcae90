// Parts of condition chips: the words, the × that removes the condition, and the junction between two conditions.
import { X } from 'lucide-react'
import classes from './filters.module.css'
import type { Junction } from './logic-tree.ts'

/** `Industry is Software` */
export function ConditionWords({ name, verb, operand }: { name: string; verb: string; operand: string }) {
  return (
    <>
      <strong>{name}</strong> {verb} {operand && <strong title={operand}>{operand}</strong>}
    </>
  )
}

export function RemoveButton({ label, onClick }: { label: string; onClick(): void }) {
  return (
    <button type="button" className={classes.remove} aria-label={label} title={label} onClick={onClick}>
      <X size={13} aria-hidden />
    </button>
  )
}

/** The button at the start of a group that negates the group. */
export function NotButton({
  isNegated,
  onChange,
}: {
  isNegated: boolean
  onChange(isNegated: boolean): void
}) {
  const title = isNegated ? 'The group must not match' : 'Match what the group does not match'
  return (
    <button
      type="button"
      className={classes.junction}
      title={title}
      aria-pressed={isNegated}
      onClick={() => onChange(!isNegated)}
    >
      not
    </button>
  )
}

interface JunctionButtonProps {
  junction: Junction
  onChange(junction: Junction): void
}

export function JunctionButton({ junction, onChange }: JunctionButtonProps) {
  const other = junction === 'and' ? 'or' : 'and'
  const title = `${junction === 'and' ? 'All conditions' : 'Any condition'}. Change to “${other}”`
  return (
    <button type="button" className={classes.junction} title={title} onClick={() => onChange(other)}>
      {junction}
    </button>
  )
}
