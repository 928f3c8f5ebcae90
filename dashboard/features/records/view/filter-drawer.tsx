// On a phone, the filters in a sheet at the bottom.
import { Drawer } from '@mantine/core'
import type { ReactNode } from 'react'
import { useLayer } from '../../../ui/layers.ts'
import { useReturnFocus } from '../../../ui/use-return-focus.ts'

/** Render it while it is open. */
export function FilterDrawer({ onClose, children }: { onClose(): void; children: ReactNode }) {
  useReturnFocus()
  useLayer(onClose)
  return (
    <Drawer opened onClose={onClose} closeOnEscape={false} position="bottom" size="60%" title="Filters">
      {children}
    </Drawer>
  )
}
