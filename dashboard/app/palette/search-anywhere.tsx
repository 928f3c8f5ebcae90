// ⌘K and ? on every page; what they open is loaded when it is first wanted.
import { useWindowEvent } from '@mantine/hooks'
import { useRouterState } from '@tanstack/react-router'
import { lazy, Suspense, useCallback, useEffect, useState } from 'react'
import { SHORTCUTS } from '../../shared/shortcuts/shortcuts.ts'
import { isListKey } from '../../ui/use-shortcuts.ts'
import { onOpenCommands } from '../frame/commands.ts'
import { rememberOpened } from './opened-records.ts'

const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }))
const Shortcuts = lazy(async () => ({
  default: (await import('../../shared/shortcuts/shortcut-list.tsx')).Shortcuts,
}))

const isSearchKey = ({ key, metaKey, ctrlKey, shiftKey, altKey }: KeyboardEvent) =>
  key.toLowerCase() === 'k' && (metaKey || ctrlKey) && !shiftKey && !altKey

export function SearchAnywhere() {
  const [open, setOpen] = useState<'palette' | 'shortcuts'>()
  const close = useCallback(() => setOpen(undefined), [])
  useEffect(() => onOpenCommands(() => setOpen('palette')), [])
  useWindowEvent('keydown', (event) => {
    if (isSearchKey(event)) {
      event.preventDefault()
      setOpen((now) => (now === 'palette' ? undefined : 'palette'))
    } else if (isListKey(event)) setOpen('shortcuts')
  })
  const address = useRouterState({ select: ({ location }) => location.pathname })
  useEffect(() => rememberOpened(address), [address])
  return (
    <Suspense>
      {open === 'palette' && <Palette onClose={close} showShortcuts={() => setOpen('shortcuts')} />}
      {open === 'shortcuts' && <Shortcuts sections={SHORTCUTS} onClose={close} />}
    </Suspense>
  )
}
