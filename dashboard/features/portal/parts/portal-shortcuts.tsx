// ? in the portal: the list of shortcuts, loaded when it is first wanted.
import { useWindowEvent } from '@mantine/hooks'
import { lazy, Suspense, useState } from 'react'
import { PORTAL_SHORTCUTS } from '../../../shared/shortcuts/shortcuts.ts'
import { isListKey } from '../../../ui/use-shortcuts.ts'

const Shortcuts = lazy(async () => ({
  default: (await import('../../../shared/shortcuts/shortcut-list.tsx')).Shortcuts,
}))

export function PortalShortcuts() {
  const [isOpen, setOpen] = useState(false)
  useWindowEvent('keydown', (event) => {
    if (isListKey(event)) setOpen(true)
  })
  return (
    <Suspense>{isOpen && <Shortcuts sections={PORTAL_SHORTCUTS} onClose={() => setOpen(false)} />}</Suspense>
  )
}
