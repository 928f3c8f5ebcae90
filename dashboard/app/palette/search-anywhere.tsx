// ⌘K and ? on every page. What they open is part of the page: the keys that follow are meant for it.
import { useWindowEvent } from '@mantine/hooks'
import { useRouterState } from '@tanstack/react-router'
import { Suspense, useCallback, useEffect, useState } from 'react'
import { Shortcuts } from '../../shared/shortcuts/shortcut-list.tsx'
import { SHORTCUTS } from '../../shared/shortcuts/shortcuts.ts'
import { Opening } from '../../ui/opening.ts'
import { isListKey } from '../../ui/use-shortcuts.ts'
import { onOpenCommands } from '../frame/commands.ts'
import { rememberOpened } from './opened-records.ts'
import { Palette } from './palette.tsx'

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
    <Suspense fallback={<Opening />}>
      {open === 'palette' && <Palette onClose={close} showShortcuts={() => setOpen('shortcuts')} />}
      {open === 'shortcuts' && <Shortcuts sections={SHORTCUTS} onClose={close} />}
    </Suspense>
  )
}
