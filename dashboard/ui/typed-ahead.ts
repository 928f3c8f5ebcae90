// Keys pressed while a layer is opening belong to the layer. They are kept and replayed in its field.
import { isWriting } from './writing.ts'

/** Keys that a field or a list handles, in addition to printable keys. */
const KEYS = new Set([
  'Enter',
  'Escape',
  'Backspace',
  'Tab',
  'ArrowUp',
  'ArrowDown',
  'ArrowLeft',
  'ArrowRight',
])
/** Frames to wait at most for a new layer to focus its field. */
const FRAMES = 12

const kept: string[] = []
let waiting = 0
/** The element with the focus when the layer was opened. Even if it is a field, the kept keys do not belong to it. */
let opener: Element | null = null

/** Whether the key writes a character. AltGr, which browsers report as Ctrl and Alt, writes characters. */
const writes = (event: KeyboardEvent) =>
  [...event.key].length === 1 && (event.getModifierState('AltGraph') || !(event.ctrlKey || event.metaKey))

const isKept = (event: KeyboardEvent) =>
  writes(event) || (KEYS.has(event.key) && !event.ctrlKey && !event.metaKey)

/** Whether the key belongs to another field. While kept keys are replayed, new keys wait behind them. */
const isElsewhere = ({ target }: KeyboardEvent) =>
  isWriting(target) && target !== opener && (waiting > 0 || kept.length === 0)

function keep(event: KeyboardEvent): void {
  // The kept keys, which this file dispatches, are not trusted events.
  if (!event.isTrusted || event.isComposing || isElsewhere(event) || !isKept(event)) return
  event.preventDefault()
  event.stopImmediatePropagation()
  kept.push(event.key)
}

/** After a click, the kept keys no longer belong to the layer. */
const drop = () => void kept.splice(0)

/** Repeats the default action of the browser, which does not run for keys that a script dispatches. */
function actAs(key: string, target: Element): void {
  if (key === 'Backspace') document.execCommand('delete')
  else if (key === 'ArrowLeft' || key === 'ArrowRight')
    getSelection()?.modify('move', key === 'ArrowLeft' ? 'left' : 'right', 'character')
  else if (key === 'Enter' && target instanceof HTMLInputElement) target.form?.requestSubmit()
  else if (key === 'Enter' && target instanceof HTMLTextAreaElement)
    document.execCommand('insertText', false, '\n')
  // Only the browser knows which field is next, so the remaining keys are dropped.
  else if (key === 'Tab') drop()
  else if (!KEYS.has(key)) document.execCommand('insertText', false, key)
}

function press(key: string): void {
  const target = document.activeElement ?? document.body
  const code = KEYS.has(key) ? key : ''
  const event = new KeyboardEvent('keydown', { key, code, bubbles: true, cancelable: true })
  if (target.dispatchEvent(event)) actAs(key, target)
}

/** Whether the layer's field has the focus. */
const isReady = () => document.activeElement !== opener && isWriting(document.activeElement)

/**
 * Replays kept keys up to the first non-printable one. That key may move the focus, which is known only after its
 * handlers.
 */
function pressSome(): void {
  let key = kept.shift()
  while (key) {
    press(key)
    key = KEYS.has(key) || waiting > 0 ? undefined : kept.shift()
  }
  setTimeout(handOver)
}

function end(): void {
  window.removeEventListener('keydown', keep, true)
  window.removeEventListener('pointerdown', drop, true)
  opener = null
}

/**
 * Without a focused field there is no target for text: of the kept keys, only Escape is replayed, to close the layer.
 */
function handOver(frames = FRAMES): void {
  if (waiting > 0) return
  if (kept.length === 0) {
    end()
    return
  }
  const ready = isReady()
  if (!ready && frames > 0) {
    requestAnimationFrame(() => handOver(frames - 1))
    return
  }
  // The layer received its first keys. A key that closes it may return the focus to the earlier field, which then takes
  // keys.
  if (ready) opener = null
  else kept.splice(0, kept.length, ...kept.filter((key) => key === 'Escape'))
  pressSome()
}

function begin(): void {
  opener = document.activeElement
  window.addEventListener('keydown', keep, true)
  window.addEventListener('pointerdown', drop, true)
}

/** Starts to keep keys. @param before keys that come first @returns a function to call when the layer is rendered */
export function typeAhead(before: readonly string[] = []): () => void {
  if (waiting === 0) begin()
  waiting += 1
  kept.push(...before)
  return () => {
    waiting -= 1
    // The layer takes the focus later in the same render.
    queueMicrotask(() => handOver())
  }
}

export const isTypingAhead = (): boolean => waiting > 0
