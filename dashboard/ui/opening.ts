// Layers that are being opened. Keys typed in this time belong to the layer, and are not shortcuts of the page below.
import { useLayoutEffect } from 'react'
import { isTypingAhead, typeAhead } from './typed-ahead.ts'

type Check = () => boolean

const checks = new Set<Check>()

/** Called once, when the page starts. @param isBusy whether a requested page is not shown yet */
export const watchOpening = (isBusy: Check): void => void checks.add(isBusy)

/** A button that reports its menu or box as open before the box is rendered. */
const EXPANDED = '[aria-haspopup=dialog][aria-expanded=true], [aria-haspopup=menu][aria-expanded=true]'

export const isOpening = (): boolean =>
  isTypingAhead() || document.querySelector(EXPANDED) !== null || [...checks].some((isBusy) => isBusy())

/** Placeholder for a layer whose code is not loaded yet. */
export function Opening(): null {
  useLayoutEffect(() => typeAhead(), [])
  return null
}
