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

/** Before the first measure: the whole window, so that the first picture has its rows, and on a phone no more columns. */
const guess = (): Viewport => ({ top: 0, left: 0, width: window.innerWidth, height: window.innerHeight })

/** @returns what is in sight, and what to call on every scroll */
export function useViewport(ref: RefObject<HTMLElement | null>): [Viewport, () => void] {
  const [viewport, setViewport] = useState(guess)
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
