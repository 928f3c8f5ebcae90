// One condition as a chip: "Industry is Software", which opens it, and × which takes it away.
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

/** What is filtered by is gone: it can only be removed. */
function GoneChip({ condition, onChange }: Pick<ConditionChipProps, 'condition' | 'onChange'>) {
  return (
    <span className={classes.chip} data-broken>
      <span className={classes.words}>{condition.attributeSlug} is not an attribute any more</span>
      <RemoveButton label={`Remove filter ${condition.attributeSlug}`} onClick={() => onChange(undefined)} />
    </span>
  )
}

/** What references lead to: it is shown as it was sent, and can be removed. */
function PathChip({ condition, onChange }: Pick<ConditionChipProps, 'condition' | 'onChange'>) {
  const { attributeSlug: name, operator, value } = condition
  const operand = arityOf(operator) === 'nothing' ? '' : [value].flat().join(', ')
  const verb = OPERATOR_WORDS[operator]
  return (
    <span className={classes.chip}>
      <span className={classes.words}>
        <ConditionWords name={name} verb={verb} operand={operand} />
      </span>
      <RemoveButton
        label={`Remove filter ${[name, verb, operand].join(' ').trim()}`}
        onClick={() => onChange(undefined)}
      />
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
        // In words too: not everyone sees the color.
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
        <ConditionForm attribute={attribute} condition={condition} onApply={apply} />
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
  if (attribute) return <OpenChip {...props} attribute={attribute} />
  return props.condition.attributeSlug.includes('.') ? <PathChip {...props} /> : <GoneChip {...props} />
}
