// Adds a condition: first on which attribute, then what must hold.
import { ActionIcon, Button } from '@mantine/core'
import { ListFilter, Plus } from 'lucide-react'
import { useState } from 'react'
import type { Attribute } from '../api/objects.ts'
import { AttributePicker, type Grouping } from './attribute-picker.tsx'
import type { Condition } from './filter.ts'
import { FilterPopover } from './filter-popover.tsx'
import { ConditionForm } from './later-condition-form.ts'

/** Which attribute is being filtered by: null while it is chosen, undefined when nothing is open. */
export type Adding = Attribute | null | undefined

interface AddFilterProps {
  attributes: readonly Attribute[]
  adding: Adding
  setAdding(adding: Adding): void
  onAdd(condition: Condition): void
  grouping?: Grouping | undefined
  /** A small plus, inside of a group. */
  isSmall?: boolean
}

/** First the attribute, then the condition. */
function Steps({ attributes, adding, setAdding, onAdd, grouping }: AddFilterProps) {
  if (!adding) return <AttributePicker attributes={attributes} onPick={setAdding} grouping={grouping} />
  const add = (condition: Condition) => {
    setAdding(undefined)
    onAdd(condition)
  }
  return <ConditionForm key={adding.id} attribute={adding} onApply={add} />
}

export function AddFilter({
  attributes,
  adding,
  setAdding,
  onAdd,
  grouping,
  isSmall = false,
}: AddFilterProps) {
  const close = () => setAdding(undefined)
  const toggle = () => setAdding(adding === undefined ? null : undefined)
  const target = isSmall ? (
    <ActionIcon size="sm" aria-label="Add a condition to the group" onClick={toggle}>
      <Plus size={14} aria-hidden />
    </ActionIcon>
  ) : (
    <Button
      variant="subtle"
      color="gray"
      leftSection={<ListFilter size={14} aria-hidden />}
      title="Filter (F)"
      aria-keyshortcuts="F"
      onClick={toggle}
    >
      Filter
    </Button>
  )
  return (
    <FilterPopover isOpen={adding !== undefined} onClose={close} label="Add a filter" target={target}>
      <Steps {...{ attributes, adding, setAdding, onAdd, grouping }} />
    </FilterPopover>
  )
}

/** The small one keeps to itself what it is adding. */
export function AddToGroup(props: Pick<AddFilterProps, 'attributes' | 'onAdd'>) {
  const [adding, setAdding] = useState<Adding>()
  return <AddFilter {...props} adding={adding} setAdding={setAdding} isSmall />
}
