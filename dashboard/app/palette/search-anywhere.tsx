// ⌘K and ? on every page. The layers that they open are loaded later. Keys pressed until then are kept for the layer.
import { useRouterState } from '@tanstack/react-router'
import { useCallback, useEffect, useLayoutEffect, useState } from 'react'
import { SHORTCUTS } from '../../shared/shortcuts/shortcuts.ts'
import { later } from '../../ui/later.tsx'
import { typeAhead } from '../../ui/typed-ahead.ts'
import { isListKey, useKeyDown } from '../../ui/use-shortcuts.ts'
import { onOpenCommands } from '../frame/commands.ts'
import { isSearchKey, takeFirstKeys } from './first-keys.ts'
import { rememberOpened } from './opened-records.ts'

const Palette = later(async () => (await import('./palette.tsx')).Palette)
const Shortcuts = later(async () => (await import('../../shared/shortcuts/shortcut-list.tsx')).Shortcuts)

type Layer = 'palette' | 'shortcuts' | undefined

export function SearchAnywhere() {
  const [open, setOpen] = useState<Layer>()
  const close = useCallback(() => setOpen(undefined), [])
  useEffect(() => onOpenCommands(() => setOpen('palette')), [])
  useKeyDown((event) => {
    if (isSearchKey(event)) {
      event.preventDefault()
      setOpen((now) => (now === 'palette' ? undefined : 'palette'))
    } else if (isListKey(event)) setOpen('shortcuts')
  }, window)
  useLayoutEffect(() => {
    const keys = takeFirstKeys()
    if (!keys) return
    setOpen('palette')
    // In a microtask: the search begins to keep keys itself before these keys are replayed.
    queueMicrotask(typeAhead(keys))
  }, [])
  const address = useRouterState({ select: ({ location }) => location.pathname })
  useEffect(() => rememberOpened(address), [address])
  return (
    <>
      {open === 'palette' && <Palette onClose={close} showShortcuts={() => setOpen('shortcuts')} />}
      {open === 'shortcuts' && <Shortcuts sections={SHORTCUTS} onClose={close} />}
    </>
  )
}
