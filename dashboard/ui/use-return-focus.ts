import { useEffect, useState } from 'react'

/** Where the focus was goes on when the panel or dialog that calls this is gone, unless it went elsewhere. */
export function useReturnFocus(): void {
  const [opener] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      requestAnimationFrame(() => {
        const isLost = document.activeElement === null || document.activeElement === document.body
        if (isLost && opener instanceof HTMLElement) opener.focus({ preventScroll: true })
      })
    },
    [opener],
  )
}
