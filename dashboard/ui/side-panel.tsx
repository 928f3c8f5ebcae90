// The panel at the right, 480 px: create and quick look. Esc closes it.
import { Drawer } from '@mantine/core'
import type { ReactNode } from 'react'
import { useReturnFocus } from './use-return-focus.ts'

interface SidePanelProps {
  title: ReactNode
  onClose(): void
  /** Closed only by its buttons: what it shows would be lost. */
  isHeld?: boolean
  children: ReactNode
}

/** Render it while it is open. */
export function SidePanel({ title, onClose, isHeld = false, children }: SidePanelProps) {
  useReturnFocus()
  return (
    <Drawer
      opened
      onClose={onClose}
      closeOnClickOutside={!isHeld}
      closeOnEscape={!isHeld}
      position="right"
      size={480}
      title={title}
      padding="md"
    >
      {children}
    </Drawer>
  )
}
