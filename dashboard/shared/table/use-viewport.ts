// What part of a scrolling element is in sight.
import { type RefObject, useCallback, useLayoutEffect, useState } from 'react'

export interface Viewport {
  top: number
  left: number
  width: number
  height: number
}

const read = (element: HTMLElement): Viewport => ({
  top: element.scrollTop,
  left: element.scrollLeft,
  width: element.clientWidth,
  height: element.clientHeight,
})

/** Before the first measure: a screen, so that the first picture has its rows. */
const GUESS: Viewport = { top: 0, left: 0, width: 1200, height: 700 }

/** @returns what is in sight, and what to call on every scroll */
export function useViewport(ref: RefObject<HTMLElement | null>): [Viewport, () => void] {
  const [viewport, setViewport] = useState(GUESS)
  const update = useCallback(() => {
    if (ref.current) setViewport(read(ref.current))
  }, [ref])
  useLayoutEffect(() => {
    update()
    const observer = new ResizeObserver(update)
    if (ref.current) observer.observe(ref.current)
    return () => observer.disconnect()
  }, [ref, update])
  return [viewport, update]
}
