// A condition as a chip: "Industry is Software". Clicking it opens the form, and × removes it.
import { TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import type { Attribute } from '../api/objects.ts'
import { ConditionWords, RemoveButton } from './chip-parts.tsx'
import type { Condition } from './filter.ts'
import { FilterPopover } from './filter-popover.tsx'
import classes from './filters.module.css'
import { ConditionForm } from './later-condition-form.ts'
import { conditionFault } from './operand-faults.ts'
import { arityOf } from './operands.ts'
import { conditionWords } from './operator-words.ts'
import { OPERATOR_WORDS } from './plain-words.ts'

export type NameOf = (attribute: Attribute, id: string) => string

interface ConditionChipProps {
  condition: Condition
  attributes: readonly Attribute[]
  nameOf: NameOf
  /** undefined removes it. */
  onChange(condition: Condition | undefined): void
}

/**
 * A condition that the form does not support. It is shown unchanged and can only be removed. Its path leads through
 * references to another object, or its attribute was deleted.
 */
function OtherChip({ condition, onChange }: Pick<ConditionChipProps, 'condition' | 'onChange'>) {
  const { attributeSlug: name, operator, value } = condition
  const isPath = name.includes('.')
  const operand = arityOf(operator) === 'nothing' ? '' : [value].flat().join(', ')
  const words = isPath
    ? { name, verb: OPERATOR_WORDS[operator], operand }
    : { name, verb: 'is not an attribute any more', operand: '' }
  const told = isPath ? Object.values(words).join(' ').trim() : name
  return (
    <span className={classes.chip} data-broken={!isPath || undefined}>
      <span className={classes.words}>
        <ConditionWords {...words} />
      </span>
      <RemoveButton label={`Remove filter ${told}`} onClick={() => onChange(undefined)} />
    </span>
  )
}

function OpenChip({ condition, attribute, nameOf, onChange }: ConditionChipProps & { attribute: Attribute }) {
  const [isOpen, setOpen] = useState(false)
  const words = conditionWords(attribute, condition, nameOf)
  const fault = conditionFault(attribute, condition)
  const target = (
    <button type="button" className={classes.words} onClick={() => setOpen(!isOpen)}>
      <ConditionWords {...words} />
      {fault && (
        // As text too, because not everyone sees the color.
        <span className="inline gap-4">
          <TriangleAlert size={12} aria-hidden /> {fault}
        </span>
      )}
    </button>
  )
  const apply = (changed: Condition) => {
    setOpen(false)
    onChange(changed)
  }
  return (
    <span className={classes.chip} data-broken={fault !== undefined || undefined}>
      <FilterPopover
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        label={`Filter by ${words.name}`}
        target={target}
      >
        <ConditionForm
          {...{ attribute, condition }}
          submit="Change filter"
          appliesChoice
          withMe
          onApply={apply}
        />
      </FilterPopover>
      <RemoveButton
        label={`Remove filter ${[words.name, words.verb, words.operand].join(' ').trim()}`}
        onClick={() => onChange(undefined)}
      />
    </span>
  )
}

export function ConditionChip(props: ConditionChipProps) {
  const attribute = props.attributes.find(({ slug }) => slug === props.condition.attributeSlug)
  return attribute ? <OpenChip {...props} attribute={attribute} /> : <OtherChip {...props} />
}
