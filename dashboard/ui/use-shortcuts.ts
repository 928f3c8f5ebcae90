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

/**
 * A layout effect: shortcuts work when the page is first visible.
 * @param shortcuts `['j', act]`, with key names of Mantine's useHotkeys
 */
export function useShortcuts(shortcuts: readonly [string, () => void][]): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const press = (act: () => void) => () => {
      if (isWriting(event.target) || isAbove()) return
      event.preventDefault()
      act()
    }
    getHotkeyHandler(shortcuts.map(([key, act]) => [key, press(act), { preventDefault: false }]))(event)
  })
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent) => onKeyDown(event)
    document.documentElement.addEventListener('keydown', listen)
    return () => document.documentElement.removeEventListener('keydown', listen)
  }, [])
}
