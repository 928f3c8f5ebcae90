// Adds a condition: first on which attribute, then what must hold.
import { ActionIcon, Button, Popover } from '@mantine/core'
import { ListFilter, Plus } from 'lucide-react'
import { useState } from 'react'
import type { Attribute } from '../../api/objects.ts'
import type { Condition } from '../../pages/records/view-state.ts'
import { AttributePicker, type Grouping } from './attribute-picker.tsx'
import { ConditionForm } from './condition-form.tsx'

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
  return (
    <Popover
      opened={adding !== undefined}
      onChange={(opened) => opened || close()}
      position="bottom-start"
      width={300}
      trapFocus
      returnFocus
    >
      <Popover.Target>
        {isSmall ? (
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
        )}
      </Popover.Target>
      <Popover.Dropdown aria-label="Add a filter">
        <Steps {...{ attributes, adding, setAdding, onAdd, grouping }} />
      </Popover.Dropdown>
    </Popover>
  )
}

/** The small one keeps to itself what it is adding. */
export function AddToGroup(props: Pick<AddFilterProps, 'attributes' | 'onAdd'>) {
  const [adding, setAdding] = useState<Adding>()
  return <AddFilter {...props} adding={adding} setAdding={setAdding} isSmall />
}
