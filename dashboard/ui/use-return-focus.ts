import { useEffect, useState } from 'react'
import { focused } from './last-focus.ts'

const isLost = () => document.activeElement === null || document.activeElement === document.body

function focusIfLost(place: HTMLElement): void {
  if (isLost()) place.focus({ preventScroll: true })
}

/** A button that still works on its request takes the focus when it is done. */
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

/** Returns the focus to where it was when the panel or dialog that calls this is closed, unless it moved elsewhere. */
export function useReturnFocus(): void {
  const [opener] = useState(focused)
  useEffect(
    () => () => {
      requestAnimationFrame(() => {
        if (!isLost() || !opener) return
        // A table draws its cells again when its width changes: the new one has the same id.
        const place = opener.isConnected ? opener : document.getElementById(opener.id)
        if (place instanceof HTMLElement) focusWhenEnabled(place)
      })
    },
    [opener],
  )
}
