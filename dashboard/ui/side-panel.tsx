// The panel at the right: create and quick look. Esc closes it.
import { Drawer } from '@mantine/core'
import type { ReactNode } from 'react'
import { useLayer } from './layers.ts'
import { useReturnFocus } from './use-return-focus.ts'

interface SidePanelProps {
  title: ReactNode
  onClose(): void
  /** Closed only by its buttons: what it shows would be lost. */
  isHeld?: boolean
  /** In pixels, as far as there is room. */
  size?: number
  children: ReactNode
}

/** Render it while it is open. */
export function SidePanel({ title, onClose, isHeld = false, size = 480, children }: SidePanelProps) {
  useReturnFocus()
  useLayer(() => isHeld || onClose())
  return (
    <Drawer
      opened
      onClose={onClose}
      closeOnClickOutside={!isHeld}
      closeOnEscape={false}
      position="right"
      size={size}
      title={title}
      padding="md"
    >
      {children}
    </Drawer>
  )
}
