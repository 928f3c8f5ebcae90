// A menu takes the focus a moment after its button was pressed. Keys that come before are kept, and pressed in the menu:
// on the button they would be lost, or close the menu again.
import { menuButton } from './last-focus.ts'

const OPEN_BUTTON = '[aria-haspopup=menu][aria-expanded=true]'

/** Keys that a menu handles, besides letters, which find an item. */
const KEYS = new Set(['ArrowDown', 'ArrowUp', 'Enter', 'Escape', 'End', 'Home'])

/** How many times the page may be drawn until the menu has the focus. */
const FRAMES = 12

const kept: string[] = []

const isKept = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent) =>
  !ctrlKey && !metaKey && !altKey && (KEYS.has(key) || key.length === 1)

const clicks = (key: string) => key === 'Enter' || key === ' '

const isOnOpenButton = () => document.activeElement?.matches(OPEN_BUTTON) ?? false

const isInOpenMenu = () => menuButton(document.activeElement)?.matches(OPEN_BUTTON) ?? false

/** A menu that closes is in the page, and has the focus, for a moment longer. */
const isInClosingMenu = () => menuButton(document.activeElement)?.matches('[aria-expanded=false]') ?? false

const drop = () => void kept.splice(0)

/** As a browser does, which clicks the item for Enter and for a space. */
function press(key: string, item: HTMLElement): void {
  const event = new KeyboardEvent('keydown', { key, code: key, bubbles: true, cancelable: true })
  if (item.dispatchEvent(event) && clicks(key)) item.click()
}

/** One in each task: where a key leads shows only when its handlers are done. */
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
  // After the timers with which the menu takes the focus, twice.
  else requestAnimationFrame(() => setTimeout(() => waitForMenu(frames - 1)))
}

function onKeyDown(event: KeyboardEvent): void {
  // The kept keys, which are pressed by this file, are not trusted.
  if (!event.isTrusted || event.isComposing || !isKept(event)) return
  // What was chosen is not chosen again.
  if (clicks(event.key) && isInClosingMenu()) event.preventDefault()
  if (!isOnOpenButton() && !(kept.length > 0 && isInOpenMenu())) return
  event.preventDefault()
  event.stopImmediatePropagation()
  // The key that opened the menu, held down, chooses nothing in it.
  if (event.repeat && clicks(event.key)) return
  kept.push(event.key)
  if (kept.length === 1) waitForMenu(FRAMES)
}

/** Once, when the page begins. */
export function watchMenus(): void {
  window.addEventListener('keydown', onKeyDown, true)
  // A click says where the next keys go.
  window.addEventListener('pointerdown', drop, true)
}
