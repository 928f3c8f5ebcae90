// Shortcuts of a page. They are off while the user types, and while a dialog or menu is open above the page.
import { getHotkeyHandler } from '@mantine/hooks'
import { useEffectEvent, useLayoutEffect } from 'react'
import { isOpening } from './opening.ts'
import { isWriting } from './writing.ts'

const ABOVE = '[role=dialog]:not([data-side-by-side]), [role=menu], [role=alertdialog]'

/** Whether a dialog or menu is open or opening above the page. A side-by-side panel does not count. */
export const isAbove = () => document.querySelector(ABOVE) !== null || isOpening()

/** Whether the key opens the list of shortcuts. */
export const isListKey = ({ key, target }: KeyboardEvent): boolean =>
  key === '?' && !isWriting(target) && !isAbove()

/** Handles keys in a layout effect, so that they work when the page is first painted. */
export function useKeyDown(handle: (event: KeyboardEvent) => void, target: Window | HTMLElement): void {
  const onKeyDown = useEffectEvent(handle)
  useLayoutEffect(() => {
    const listen = (event: Event) => onKeyDown(event as KeyboardEvent)
    target.addEventListener('keydown', listen)
    return () => target.removeEventListener('keydown', listen)
  }, [target])
}

/**
 * Shortcuts of a page.
 * @param shortcuts `['j', act]`, with key names of Mantine's useHotkeys
 */
export function useShortcuts(shortcuts: readonly [string, () => void][]): void {
  useKeyDown((event) => {
    const press = (act: () => void) => () => {
      if (isWriting(event.target) || isAbove()) return
      event.preventDefault()
      act()
    }
    getHotkeyHandler(shortcuts.map(([key, act]) => [key, press(act), { preventDefault: false }]))(event)
  }, document.documentElement)
}
