// The box in which a filter is made. Lists of options open elsewhere in the page: choosing from one is not leaving.
import { Popover } from '@mantine/core'
import { useClickOutside } from '@mantine/hooks'
import { type ReactElement, type ReactNode, useState } from 'react'

interface FilterPopoverProps {
  isOpen: boolean
  onClose(): void
  label: string
  /** What opens it. */
  target: ReactElement
  children: ReactNode
}

const isInOptions = ({ target }: Event) =>
  target instanceof Element && target.closest('[role=listbox]') !== null

function useLeaving(isOpen: boolean, onClose: () => void) {
  const [box, setBox] = useState<HTMLElement | null>(null)
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  useClickOutside(
    (event) => {
      if (isOpen && !isInOptions(event)) onClose()
    },
    null,
    [box, anchor],
  )
  return { setBox, setAnchor }
}

export function FilterPopover({ isOpen, onClose, label, target, children }: FilterPopoverProps) {
  const { setBox, setAnchor } = useLeaving(isOpen, onClose)
  return (
    <Popover
      opened={isOpen}
      onChange={(opened) => opened || onClose()}
      closeOnClickOutside={false}
      position="bottom-start"
      width={300}
      trapFocus
      returnFocus
    >
      <span ref={setAnchor} style={{ display: 'contents' }}>
        <Popover.Target>{target}</Popover.Target>
      </span>
      <Popover.Dropdown ref={setBox} aria-label={label}>
        {children}
      </Popover.Dropdown>
    </Popover>
  )
}
