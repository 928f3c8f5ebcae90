// The keyboard's focus on the canvas: on a step, or on the button that adds the first one of an empty list.
import type { Stop } from './travel.ts'

/** What was just added is drawn within some frames. */
const FRAMES = 20

/** The stop that has the focus. */
export function focusedStop(): Stop | undefined {
  const stop = document.activeElement?.closest<HTMLElement>('[data-node], [data-stop]')
  return stop?.dataset.node ?? stop?.dataset.stop
}

const elementOf = (stop: Stop) =>
  document.querySelector<HTMLElement>(`[data-node="${CSS.escape(stop)}"], [data-stop="${CSS.escape(stop)}"]`)

/** Immediately if the element exists, otherwise within the next frames. */
export function focusStop(stop: Stop, frames = FRAMES): void {
  const element = elementOf(stop)
  if (element) element.focus({ preventScroll: element.closest('.react-flow') !== null })
  else if (frames > 0) requestAnimationFrame(() => focusStop(stop, frames - 1))
}

const isTyping = () => document.activeElement?.matches('input, textarea') === true

/** Once an edit is drawn, and the menu it was chosen from has given the focus back. */
export function focusAfterEdit(stop: Stop): void {
  requestAnimationFrame(() => {
    focusStop(stop)
    // Who went on to another step or to a field meanwhile stays there.
    requestAnimationFrame(() => focusedStop() === undefined && !isTyping() && focusStop(stop))
  })
}

const FIELD = 'input:not([type=hidden]):not(:disabled), textarea, select, button'
const WRONG = '[aria-invalid=true]'

/** The first field that something is wrong with, when that is wanted and there is one; else the first one. */
export function focusPanel(isForProblem: boolean, frames = FRAMES): void {
  requestAnimationFrame(() => {
    const panel = document.querySelector<HTMLElement>('[data-editor-form]')
    const wrong = isForProblem ? panel?.querySelector<HTMLElement>(WRONG) : undefined
    if (panel) (wrong ?? panel.querySelector<HTMLElement>(FIELD) ?? panel).focus()
    else if (frames > 0) focusPanel(isForProblem, frames - 1)
  })
}
