// The last button of a sentence, and the list that it opens.
import { Button } from '@mantine/core'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { FilterPopover } from '../../../shared/filters/filter-popover.tsx'
import { type ChoiceGroup, Chooser, findChoices } from '../../../ui/chooser.tsx'

interface AddButtonProps {
  label: string
  /** Why nothing can be added; undefined when it can. */
  fullReason?: string | undefined
  onClick(): void
}

/** The last button of a sentence. It gets the focus when a part of the sentence is removed. */
export function AddButton({ label, fullReason, onClick, ...target }: AddButtonProps) {
  return (
    <Button
      variant="subtle"
      color="gray"
      size="compact-sm"
      leftSection={<Plus size={14} aria-hidden />}
      title={fullReason}
      aria-disabled={fullReason !== undefined || undefined}
      data-disabled={fullReason !== undefined || undefined}
      data-add
      {...target}
      onClick={() => fullReason === undefined && onClick()}
    >
      {label}
    </Button>
  )
}

interface AddProps {
  label: string
  fullReason?: string | undefined
  /** Placeholder of the search, such as `Find a field`. */
  placeholder: string
  groups: readonly ChoiceGroup[]
  onPick(value: string): void
}

export function Add({ label, fullReason, placeholder, groups, onPick }: AddProps) {
  const [isOpen, setOpen] = useState(false)
  // A new chooser each time, because the previous one may still be fading out with its typed text.
  const [time, setTime] = useState(0)
  const toggle = () => {
    setOpen(!isOpen)
    setTime(time + 1)
  }
  const pick = (value: string) => {
    setOpen(false)
    onPick(value)
  }
  return (
    <FilterPopover
      isOpen={isOpen}
      onClose={() => setOpen(false)}
      label={`Add: ${label.toLowerCase()}`}
      target={<AddButton label={label} fullReason={fullReason} onClick={toggle} />}
    >
      <Chooser
        key={time}
        placeholder={placeholder}
        find={(typed) => findChoices(groups, typed)}
        onPick={pick}
      />
    </FilterPopover>
  )
}
