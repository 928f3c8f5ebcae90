// A menu takes the focus shortly after its button was pressed. Keys pressed before that are kept and replayed in the
// menu. On the button, they would be lost or close the menu again.
import { menuButton } from './last-focus.ts'

const OPEN_BUTTON = '[aria-haspopup=menu][aria-expanded=true]'

/** Keys that a menu handles, in addition to letters, which find an item. */
const KEYS = new Set(['ArrowDown', 'ArrowUp', 'Enter', 'Escape', 'End', 'Home'])

/** Frames to wait at most for the menu to take the focus. */
const FRAMES = 12

const kept: string[] = []

const isKept = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent) =>
  !ctrlKey && !metaKey && !altKey && (KEYS.has(key) || key.length === 1)

const clicks = (key: string) => key === 'Enter' || key === ' '

const isOnOpenButton = () => document.activeElement?.matches(OPEN_BUTTON) ?? false

const isInOpenMenu = () => menuButton(document.activeElement)?.matches(OPEN_BUTTON) ?? false

/** A closing menu stays in the page and keeps the focus for a short time. */
const isInClosingMenu = () => menuButton(document.activeElement)?.matches('[aria-expanded=false]') ?? false

const drop = () => void kept.splice(0)

/** Behaves like a browser, which clicks the item on Enter and Space. */
function press(key: string, item: HTMLElement): void {
  const event = new KeyboardEvent('keydown', { key, code: key, bubbles: true, cancelable: true })
  if (item.dispatchEvent(event) && clicks(key)) item.click()
}

/** One key per task: the target of the next key is known only after the handlers of this key. */
function pressNext(): void {
  const { activeElement: item } = document
  const key = kept.shift()
  if (key === undefined) return
  if (isInOpenMenu() && item instanceof HTMLElement) {
    press(key, item)
    setTimeout(pressNext)
  } else drop()
}

function waitForMenu(frames: number): void {
  if (isInOpenMenu() || frames === 0) pressNext()
  // After the two timers by which the menu takes the focus.
  else requestAnimationFrame(() => setTimeout(() => waitForMenu(frames - 1)))
}

function onKeyDown(event: KeyboardEvent): void {
  // The kept keys, which this file dispatches, are not trusted events.
  if (!event.isTrusted || event.isComposing || !isKept(event)) return
  // An item is not chosen a second time while the menu closes.
  if (clicks(event.key) && isInClosingMenu()) event.preventDefault()
  if (!isOnOpenButton() && !(kept.length > 0 && isInOpenMenu())) return
  event.preventDefault()
  event.stopImmediatePropagation()
  // If the key that opened the menu is held down, it chooses nothing in the menu.
  if (event.repeat && clicks(event.key)) return
  kept.push(event.key)
  if (kept.length === 1) waitForMenu(FRAMES)
}

/** Called once, when the page starts. */
export function watchMenus(): void {
  window.addEventListener('keydown', onKeyDown, true)
  // After a click, the kept keys no longer belong to the menu.
  window.addEventListener('pointerdown', drop, true)
}
