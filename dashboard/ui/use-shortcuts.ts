// Keys of a page: silent while one types, and while a dialog or menu is open above the page.
import { getHotkeyHandler } from '@mantine/hooks'
import { useEffectEvent, useLayoutEffect } from 'react'
import { isOpening } from './opening.ts'
import { isWriting } from './writing.ts'

const ABOVE = '[role=dialog]:not([data-side-by-side]), [role=menu], [role=alertdialog]'

/** Whether a dialog or menu is open above the page, or is opening; a side-by-side panel is not above it. */
export const isAbove = () => document.querySelector(ABOVE) !== null || isOpening()

/** Whether it asks for the list of shortcuts. */
export const isListKey = ({ key, target }: KeyboardEvent): boolean =>
  key === '?' && !isWriting(target) && !isAbove()

/**
 * Attached before the page is painted: its keys work as soon as it is seen.
 * @param shortcuts `['j', act]`, in the words of Mantine's useHotkeys
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
