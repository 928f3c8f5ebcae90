import { useEffect, useState } from 'react'
import { focused } from './last-focus.ts'

const isLost = () => document.activeElement === null || document.activeElement === document.body

function focusIfLost(place: HTMLElement): void {
  if (isLost()) place.focus({ preventScroll: true })
}

/** A button that is disabled during its request gets the focus when it is enabled again. */
function focusWhenEnabled(place: HTMLElement): void {
  focusIfLost(place)
  if (!place.matches(':disabled')) return
  const observer = new MutationObserver(() => {
    if (place.matches(':disabled')) return
    observer.disconnect()
    focusIfLost(place)
  })
  observer.observe(place, { attributeFilter: ['disabled'] })
}

/**
 * Returns the focus to the earlier element when the calling panel or dialog closes, unless the focus has moved
 * elsewhere.
 */
export function useReturnFocus(): void {
  const [opener] = useState(focused)
  useEffect(
    () => () => {
      requestAnimationFrame(() => {
        if (!isLost() || !opener) return
        // A table renders its cells again when its width changes. The new cell has the same id.
        const place = opener.isConnected ? opener : document.getElementById(opener.id)
        if (place instanceof HTMLElement) focusWhenEnabled(place)
      })
    },
    [opener],
  )
}
