// One condition as a chip: "Industry is Software", which opens it, and × which takes it away.
import { Popover } from '@mantine/core'
import { X } from 'lucide-react'
import { useState } from 'react'
import type { Attribute } from '../../api/objects.ts'
import type { Condition, FilterTree } from '../../pages/records/view-state.ts'
import { ConditionForm } from './condition-form.tsx'
import classes from './filters.module.css'
import { conditionWords } from './operator-words.ts'

export type NameOf = (attribute: Attribute, id: string) => string

interface ConditionChipProps {
  condition: Condition
  attributes: readonly Attribute[]
  nameOf: NameOf
  /** null takes it away. */
  onChange(condition: FilterTree | null): void
}

export function RemoveButton({ what, onClick }: { what: string; onClick(): void }) {
  const label = `Remove filter ${what}`
  return (
    <button type="button" className={classes.remove} aria-label={label} title={label} onClick={onClick}>
      <X size={13} aria-hidden />
    </button>
  )
}

/** What is filtered by is gone: it can only be removed. */
function GoneChip({ condition, onChange }: Pick<ConditionChipProps, 'condition' | 'onChange'>) {
  return (
    <span className={classes.chip} data-broken>
      <span className={classes.words}>{condition.attributeSlug} is not an attribute any more</span>
      <RemoveButton what={condition.attributeSlug} onClick={() => onChange(null)} />
    </span>
  )
}

function OpenChip({ condition, attribute, nameOf, onChange }: ConditionChipProps & { attribute: Attribute }) {
  const [isOpen, setOpen] = useState(false)
  const { name, verb, operand } = conditionWords(attribute, condition, nameOf)
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-start" width={300} trapFocus returnFocus>
      <span className={classes.chip}>
        <Popover.Target>
          <button type="button" className={classes.words} onClick={() => setOpen(!isOpen)}>
            <strong>{name}</strong> {verb} {operand && <strong title={operand}>{operand}</strong>}
          </button>
        </Popover.Target>
        <RemoveButton what={[name, verb, operand].join(' ').trim()} onClick={() => onChange(null)} />
      </span>
      <Popover.Dropdown aria-label={`Filter by ${name}`}>
        <ConditionForm
          attribute={attribute}
          condition={condition}
          onApply={(changed) => {
            setOpen(false)
            onChange(changed)
          }}
        />
      </Popover.Dropdown>
    </Popover>
  )
}

export function ConditionChip(props: ConditionChipProps) {
  const attribute = props.attributes.find(({ slug }) => slug === props.condition.attributeSlug)
  return attribute ? <OpenChip {...props} attribute={attribute} /> : <GoneChip {...props} />
}
