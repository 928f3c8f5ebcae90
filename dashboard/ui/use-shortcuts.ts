// Keys of a page: silent while one types, and while a dialog or menu is open above the page.
import { useHotkeys } from '@mantine/hooks'

/** Whether a dialog or menu is open above the page. */
export const isAbove = () => document.querySelector('[role=dialog], [role=menu], [role=alertdialog]') !== null

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
