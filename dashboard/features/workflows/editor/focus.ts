// Keyboard focus on the canvas: on a step, or on the button that adds the first step of an empty list.
import type { Stop } from './travel.ts'

/** Number of frames within which an added element is rendered. */
const FRAMES = 20

/** The focused stop. */
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

/** Focuses after the edit is rendered and the menu has returned the focus. */
export function focusAfterEdit(stop: Stop): void {
  requestAnimationFrame(() => {
    focusStop(stop)
    // Not if the user has moved the focus to another step or to a field.
    requestAnimationFrame(() => focusedStop() === undefined && !isTyping() && focusStop(stop))
  })
}

const FIELD = 'input:not([type=hidden]):not(:disabled), textarea, select, button'
const WRONG = '[aria-invalid=true]'

/** Focuses the first invalid field if requested and present, else the first field. */
export function focusPanel(isForProblem: boolean, frames = FRAMES): void {
  requestAnimationFrame(() => {
    const panel = document.querySelector<HTMLElement>('[data-editor-form]')
    const wrong = isForProblem ? panel?.querySelector<HTMLElement>(WRONG) : undefined
    if (panel) (wrong ?? panel.querySelector<HTMLElement>(FIELD) ?? panel).focus()
    else if (frames > 0) focusPanel(isForProblem, frames - 1)
  })
}
