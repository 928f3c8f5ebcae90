// Keys of a page: silent while one types, and while a dialog or menu is open above the page.
import { useHotkeys } from '@mantine/hooks'
import { isOpening } from './opening.ts'

/** Whether a dialog or menu is open above the page, or opens just now; a panel beside it is not above it. */
export const isAbove = () =>
  document.querySelector('[role=dialog]:not([data-beside]), [role=menu], [role=alertdialog]') !== null ||
  isOpening()

/** Types of inputs in which no text is edited, such as those of a switch. */
const WITHOUT_TEXT = /^(button|checkbox|color|file|image|radio|range|reset|submit)$/

/** Whether a text is edited there, or an option of a list is found by its letters. */
export const isWriting = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    /^(TEXTAREA|SELECT)$/.test(target.tagName) ||
    (target instanceof HTMLInputElement && !WITHOUT_TEXT.test(target.type)))

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
