// Layers that are on their way: what is typed meanwhile is meant for them, and is no shortcut of the page below.
import { useLayoutEffect } from 'react'
import { isTypingAhead, typeAhead } from './typed-ahead.ts'

type Check = () => boolean

const checks = new Set<Check>()

/** Once, when the page begins. @param isBusy whether something that was asked for is not shown yet */
export const watchOpening = (isBusy: Check): void => void checks.add(isBusy)

/** A button that says its menu or box is open, before the box itself is drawn. */
const EXPANDED = '[aria-haspopup=dialog][aria-expanded=true], [aria-haspopup=menu][aria-expanded=true]'

export const isOpening = (): boolean =>
  isTypingAhead() || document.querySelector(EXPANDED) !== null || [...checks].some((isBusy) => isBusy())

/** In place of a layer whose code is not there yet. */
export function Opening(): null {
  useLayoutEffect(() => typeAhead(), [])
  return null
}
