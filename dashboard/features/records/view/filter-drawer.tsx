// The filters on a phone, in a sheet at the bottom.
import { Drawer } from '@mantine/core'
import type { ReactNode } from 'react'
import { useLayer } from '../../../ui/layers.ts'
import { useReturnFocus } from '../../../ui/use-return-focus.ts'

/** Mount only while the sheet is open. */
export function FilterDrawer({ onClose, children }: { onClose(): void; children: ReactNode }) {
  useReturnFocus()
  useLayer(onClose)
  return (
    <Drawer opened onClose={onClose} closeOnEscape={false} position="bottom" size="60%" title="Filters">
      {children}
    </Drawer>
  )
}
