// Keys of a page: silent while one types, and while a dialog or menu is open above the page.
import { useHotkeys } from '@mantine/hooks'
import { isOpening } from './opening.ts'
import { isWriting } from './writing.ts'

/** Whether a dialog or menu is open above the page, or opens just now; a panel beside it is not above it. */
export const isAbove = () =>
  document.querySelector('[role=dialog]:not([data-beside]), [role=menu], [role=alertdialog]') !== null ||
  isOpening()

/** Whether it asks for the list of shortcuts. */
export const isListKey = ({ key, target }: KeyboardEvent): boolean =>
  key === '?' && !isWriting(target) && !isAbove()

/** @param shortcuts `['j', act]`, in the words of Mantine's useHotkeys */
export const useShortcuts = (shortcuts: readonly [string, () => void][]): void =>
  useHotkeys(
    shortcuts.map(([key, act]) => [
      key,
      (event) => {
        if (isWriting(event.target) || isAbove()) return
        event.preventDefault()
        act()
      },
      { preventDefault: false },
    ]),
    [],
    true,
  )
