// Adds a condition: the user first chooses the field, then the operator and the operand.
import { Checkbox } from '@mantine/core'
import { type ReactElement, type ReactNode, useState } from 'react'
import { FilterPopover } from './filter-popover.tsx'

/** The field of the new condition. null while the user chooses it, undefined while the popover is closed. */
export type Adding<Field> = Field | null | undefined

interface AddConditionProps<Field, Leaf> {
  /** The label of the popover. */
  label: string
  target(toggle: () => void): ReactElement
  adding: Adding<Field>
  setAdding(adding: Adding<Field>): void
  picker(pick: (field: Field) => void): ReactNode
  form(field: Field, apply: (leaf: Leaf) => void): ReactNode
  /** Whether the new condition can form a group with the last one. */
  canGroup?: boolean
  onAdd(leaf: Leaf, isGrouped: boolean): void
}

export function AddCondition<Field, Leaf>(props: AddConditionProps<Field, Leaf>) {
  const { label, target, adding, setAdding, picker, form, canGroup = false, onAdd } = props
  const [isGrouped, setGrouped] = useState(false)
  const close = () => {
    setGrouped(false)
    setAdding(undefined)
  }
  const add = (leaf: Leaf) => {
    close()
    onAdd(leaf, isGrouped)
  }
  const isOpen = adding !== undefined
  const toggle = () => (isOpen ? close() : setAdding(null))
  return (
    <FilterPopover isOpen={isOpen} onClose={close} label={label} target={target(toggle)}>
      {adding ? form(adding, add) : picker(setAdding)}
      {canGroup && (
        <Checkbox
          mt="xs"
          label="Group with the last filter"
          checked={isGrouped}
          onChange={({ currentTarget }) => setGrouped(currentTarget.checked)}
        />
      )}
    </FilterPopover>
  )
}

/** Like AddCondition, but holds the state of the new condition itself. */
export function AddToGroup<Field, Leaf>(
  props: Omit<AddConditionProps<Field, Leaf>, 'adding' | 'setAdding' | 'canGroup'>,
) {
  const [adding, setAdding] = useState<Adding<Field>>()
  return <AddCondition {...props} adding={adding} setAdding={setAdding} />
}
