// Keys pressed while a layer is on its way are meant for it: they are kept, and pressed again in its field.
import { isWriting } from './writing.ts'

/** Keys that a field or a list handles, beside those that write. */
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

type Key = Pick<KeyboardEvent, 'key' | 'shiftKey'>

const kept: Key[] = []
let waiting = 0
/** What had the focus when the layer was asked for: were it a field, the keys are not meant for it any more. */
let opener: Element | null = null
/** A key was pressed in the layer: the next ones go where it led, such as the next cell of a table. */
let hasBegun = false

/** AltGr, which browsers report as Ctrl and Alt, writes characters. */
const writes = (event: KeyboardEvent) =>
  [...event.key].length === 1 && (event.getModifierState('AltGraph') || !(event.ctrlKey || event.metaKey))

const isKept = (event: KeyboardEvent) =>
  writes(event) || (KEYS.has(event.key) && !event.ctrlKey && !event.metaKey)

/** While kept keys are pressed, those that follow wait for their turn. */
const isElsewhere = ({ target }: KeyboardEvent) =>
  isWriting(target) && target !== opener && (waiting > 0 || kept.length === 0)

function stop(event: KeyboardEvent): Key {
  event.preventDefault()
  event.stopImmediatePropagation()
  return { key: event.key, shiftKey: event.shiftKey }
}

function keep(event: KeyboardEvent): void {
  // The kept keys, which are pressed by this file, are not trusted.
  if (event.isTrusted && !event.isComposing && !isElsewhere(event) && isKept(event)) kept.push(stop(event))
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

function press({ key, shiftKey }: Key): void {
  const target = document.activeElement ?? document.body
  const code = KEYS.has(key) ? key : ''
  const event = new KeyboardEvent('keydown', { key, code, shiftKey, bubbles: true, cancelable: true })
  if (target.dispatchEvent(event)) actAs(key, target)
}

/** Whether the focus is where the kept keys belong. */
function isReady(): boolean {
  const { activeElement, body } = document
  if (hasBegun) return activeElement !== null && activeElement !== body
  return activeElement !== opener && isWriting(activeElement)
}

/** Letters, and the first key that may lead elsewhere: that shows only when its handlers are done. */
function pressSome(): void {
  let key = kept.shift()
  while (key) {
    press(key)
    key = KEYS.has(key.key) || waiting > 0 ? undefined : kept.shift()
  }
  setTimeout(handOver)
}

function end(): void {
  window.removeEventListener('keydown', keep, true)
  window.removeEventListener('pointerdown', drop, true)
  opener = null
  hasBegun = false
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
  if (ready) hasBegun = true
  else kept.splice(0, kept.length, ...kept.filter(({ key }) => key === 'Escape'))
  pressSome()
}

/** The letter that is being handled now opens the layer, and is the first that is meant for it. */
function keepCurrent(): void {
  const { event } = window
  if (!(event instanceof KeyboardEvent) || event.type !== 'keydown') return
  if (!event.defaultPrevented && !event.isComposing && writes(event) && !isWriting(event.target))
    kept.unshift(stop(event))
}

function begin(): void {
  opener = document.activeElement
  hasBegun = false
  window.addEventListener('keydown', keep, true)
  window.addEventListener('pointerdown', drop, true)
}

/** Begins to keep keys, after these. @returns what is called when the layer is there */
export function typeAhead(before: readonly string[] = []): () => void {
  if (waiting === 0) begin()
  waiting += 1
  kept.push(...before.map((key) => ({ key, shiftKey: false })))
  keepCurrent()
  return () => {
    waiting -= 1
    // The layer takes the focus in the same drawing, after this.
    queueMicrotask(() => handOver())
  }
}

export const isTypingAhead = (): boolean => waiting > 0
