// The selected step, next to the picture, or above it in a narrow window.
import { Box } from '@mantine/core'
import type { ReactNode } from 'react'
import { SidePanel } from '../../../ui/side-panel.tsx'

interface StepPaneProps {
  isSideBySide: boolean
  /** Above the picture, the step is shown only on request. */
  isOpen: boolean
  onClose(): void
  children: ReactNode
}

export function StepPane({ isSideBySide, isOpen, onClose, children }: StepPaneProps) {
  if (isSideBySide)
    return (
      <Box
        component="aside"
        aria-label="Step"
        className="fixed scroll"
        w="min(400px, 36vw)"
        p={16}
        style={{ borderLeft: '1px solid var(--border)' }}
      >
        {children}
      </Box>
    )
  if (!isOpen) return null
  return (
    <SidePanel title="Step" onClose={onClose}>
      {children}
    </SidePanel>
  )
}
