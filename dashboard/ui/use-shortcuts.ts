// Keys of a page: silent while one types, and while a dialog or menu is open above the page.
import { useHotkeys } from '@mantine/hooks'
import { isOpening } from './opening.ts'

/** Whether a dialog or menu is open above the page, or opens just now; a panel beside it is not above it. */
export const isAbove = () =>
  document.querySelector('[role=dialog]:not([data-beside]), [role=menu], [role=alertdialog]') !== null ||
  isOpening()

/** Whether a text is edited there. */
export const isWriting = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

/** Whether it asks for the list of shortcuts. */
export const isListKey = ({ key, target }: KeyboardEvent): boolean =>
  key === '?' && !isWriting(target) && !isAbove()

/** @param shortcuts `['j', act]`, in the words of Mantine's useHotkeys */
export const useShortcuts = (shortcuts: readonly [string, () => void][]): void =>
  useHotkeys(
    shortcuts.map(([key, act]) => [
      key,
      () => {
        if (!isAbove()) act()
      },
    ]),
  )
