// A popover below its button, for example for a filter. Option lists are rendered elsewhere in the page, so a click in
// one does not count as a click outside.
import { Popover, type PopoverProps } from '@mantine/core'
import { useClickOutside } from '@mantine/hooks'
import { type ReactElement, type ReactNode, useState } from 'react'
import { useLayer } from '../../ui/layers.ts'
import { SideLists } from '../../ui/side-lists.ts'
import { useKeptFocus } from '../../ui/use-kept-focus.ts'

interface FilterPopoverProps {
  isOpen: boolean
  onClose(): void
  label: string
  /** The button that opens the popover. */
  target: ReactElement
  position?: PopoverProps['position']
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

export function FilterPopover({
  isOpen,
  onClose,
  label,
  target,
  position = 'bottom-start',
  children,
}: FilterPopoverProps) {
  useLayer(onClose, isOpen)
  const { setBox, setAnchor } = useLeaving(isOpen, onClose)
  const setContent = useKeptFocus()
  return (
    <Popover
      opened={isOpen}
      onChange={(opened) => opened || onClose()}
      closeOnClickOutside={false}
      closeOnEscape={false}
      position={position}
      width={300}
      trapFocus
      returnFocus
    >
      <span ref={setAnchor} style={{ display: 'contents' }}>
        <Popover.Target>{target}</Popover.Target>
      </span>
      <Popover.Dropdown ref={setBox} aria-label={label}>
        <div ref={setContent} style={{ display: 'contents' }}>
          <SideLists value>{children}</SideLists>
        </div>
      </Popover.Dropdown>
    </Popover>
  )
}
