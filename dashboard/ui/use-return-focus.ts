import { useEffect, useState } from 'react'

/** Where the focus was goes on when the panel or dialog that calls this is gone, unless it went elsewhere. */
export function useReturnFocus(): void {
  const [opener] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      requestAnimationFrame(() => {
        const isLost = document.activeElement === null || document.activeElement === document.body
        if (!isLost || !opener) return
        // A table draws its cells again when its width changes: the one with the same id stands for it.
        const place = opener.isConnected ? opener : document.getElementById(opener.id)
        if (place instanceof HTMLElement) place.focus({ preventScroll: true })
      })
    },
    [opener],
  )
}
