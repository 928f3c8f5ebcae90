// Keys pressed while a layer is on its way are meant for it: they are kept, and pressed again in its field.
import { isWriting } from './writing.ts'

/** Keys that a field or a list handles, in addition to those that write. */
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
/** How many times the page may be drawn until a new layer has given its field the focus. */
const FRAMES = 12

const kept: string[] = []
let waiting = 0
/** What had the focus when the layer was asked for: even if it is a field, the kept keys are not meant for it. */
let opener: Element | null = null

/** AltGr, which browsers report as Ctrl and Alt, writes characters. */
const writes = (event: KeyboardEvent) =>
  [...event.key].length === 1 && (event.getModifierState('AltGraph') || !(event.ctrlKey || event.metaKey))

const isKept = (event: KeyboardEvent) =>
  writes(event) || (KEYS.has(event.key) && !event.ctrlKey && !event.metaKey)

/** While kept keys are pressed, those that follow wait for their turn. */
const isElsewhere = ({ target }: KeyboardEvent) =>
  isWriting(target) && target !== opener && (waiting > 0 || kept.length === 0)

function keep(event: KeyboardEvent): void {
  // The kept keys, which are pressed by this file, are not trusted.
  if (!event.isTrusted || event.isComposing || isElsewhere(event) || !isKept(event)) return
  event.preventDefault()
  event.stopImmediatePropagation()
  kept.push(event.key)
}

/** A click says where the next keys go. */
const drop = () => void kept.splice(0)

/** What the browser itself does for the key, which it does not for keys that are made by scripts. */
function actAs(key: string, target: Element): void {
  if (key === 'Backspace') document.execCommand('delete')
  else if (key === 'ArrowLeft' || key === 'ArrowRight')
    getSelection()?.modify('move', key === 'ArrowLeft' ? 'left' : 'right', 'character')
  else if (key === 'Enter' && target instanceof HTMLInputElement) target.form?.requestSubmit()
  else if (key === 'Enter' && target instanceof HTMLTextAreaElement)
    document.execCommand('insertText', false, '\n')
  // To which field it leads only the browser knows.
  else if (key === 'Tab') drop()
  else if (!KEYS.has(key)) document.execCommand('insertText', false, key)
}

function press(key: string): void {
  const target = document.activeElement ?? document.body
  const code = KEYS.has(key) ? key : ''
  const event = new KeyboardEvent('keydown', { key, code, bubbles: true, cancelable: true })
  if (target.dispatchEvent(event)) actAs(key, target)
}

/** Whether the focus is where the kept keys belong. */
const isReady = () => document.activeElement !== opener && isWriting(document.activeElement)

/** Letters, and the first key that may lead elsewhere: that shows only when its handlers are done. */
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

/** Without a field there is nothing to write in: of the keys only Escape acts, which closes the layer. */
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
  // The layer has its first keys: one that closes it may lead back to the field before.
  if (ready) opener = null
  else kept.splice(0, kept.length, ...kept.filter((key) => key === 'Escape'))
  pressSome()
}

function begin(): void {
  opener = document.activeElement
  window.addEventListener('keydown', keep, true)
  window.addEventListener('pointerdown', drop, true)
}

/** Begins to keep keys, after these. @returns what is called when the layer is there */
export function typeAhead(before: readonly string[] = []): () => void {
  if (waiting === 0) begin()
  waiting += 1
  kept.push(...before)
  return () => {
    waiting -= 1
    // The layer takes the focus in the same drawing, after this.
    queueMicrotask(() => handOver())
  }
}

export const isTypingAhead = (): boolean => waiting > 0
