// Keys pressed while a layer is on its way are meant for it: they are kept, and pressed again in its field.
import { isWriting } from './writing.ts'

/** Keys that a field or a list handles, beside those that write. */
const KEYS = new Set(['Enter', 'Escape', 'Backspace', 'ArrowUp', 'ArrowDown'])
/** How many times the page may be drawn until a new layer has given its field the focus. */
const FRAMES = 12

const kept: string[] = []
let waiting = 0

/** AltGr, which browsers report as Ctrl and Alt, writes characters. */
const writes = (event: KeyboardEvent) =>
  [...event.key].length === 1 && (event.getModifierState('AltGraph') || !(event.ctrlKey || event.metaKey))

const isKept = (event: KeyboardEvent) =>
  writes(event) || (KEYS.has(event.key) && !event.ctrlKey && !event.metaKey)

function keep(event: KeyboardEvent): void {
  if (event.isComposing || isWriting(event.target) || !isKept(event)) return
  event.preventDefault()
  event.stopImmediatePropagation()
  kept.push(event.key)
}

/** With what the browser itself does for the key, which it does not for keys that are made by scripts. */
function press(key: string): void {
  const target = document.activeElement ?? document.body
  const code = KEYS.has(key) ? key : ''
  const event = new KeyboardEvent('keydown', { key, code, bubbles: true, cancelable: true })
  if (!target.dispatchEvent(event)) return
  if (key === 'Backspace') document.execCommand('delete')
  else if (key === 'Enter' && target instanceof HTMLInputElement) target.form?.requestSubmit()
  else if (!KEYS.has(key)) document.execCommand('insertText', false, key)
}

/** Without a field there is nothing to write in: of the keys only Escape acts, which closes the layer. */
function pressKept(): void {
  window.removeEventListener('keydown', keep, true)
  for (const key of kept.splice(0)) if (key === 'Escape' || isWriting(document.activeElement)) press(key)
}

function handOver(frames = FRAMES): void {
  if (waiting > 0) return
  if (kept.length === 0 || frames === 0 || isWriting(document.activeElement)) pressKept()
  else requestAnimationFrame(() => handOver(frames - 1))
}

/** The letter that is being handled now opens the layer, and is the first that is meant for it. */
function keepCurrent(): void {
  const { event } = window
  if (event instanceof KeyboardEvent && event.type === 'keydown' && !event.defaultPrevented && writes(event))
    keep(event)
}

/** Begins to keep keys, after these. @returns what is called when the layer is there */
export function typeAhead(before: readonly string[] = []): () => void {
  if (waiting === 0) window.addEventListener('keydown', keep, true)
  waiting += 1
  kept.push(...before)
  keepCurrent()
  return () => {
    waiting -= 1
    // The layer takes the focus in the same drawing, after this.
    queueMicrotask(() => handOver())
  }
}

export const isTypingAhead = (): boolean => waiting > 0
