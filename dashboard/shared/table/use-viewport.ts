// The visible part of a scrolling element.
import { type RefObject, useCallback, useLayoutEffect, useState } from 'react'
import { flushSync } from 'react-dom'

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

/**
 * Before the first measurement: the size of the window, so that the first render has all visible rows, and no extra
 * columns on a phone.
 */
const guess = (): Viewport => ({ top: 0, left: 0, width: window.innerWidth, height: window.innerHeight })

const isSame = (one: Viewport, other: Viewport) =>
  one.top === other.top && one.left === other.left && one.width === other.width && one.height === other.height

/**
 * Measures after the browser's layout and before the first paint. An earlier measurement would force a layout in the
 * task that renders, which takes a sixth of a second on a phone.
 * @returns the visible part, and the function to call on every scroll
 */
export function useViewport(ref: RefObject<HTMLElement | null>): [Viewport, () => void] {
  const [viewport, setViewport] = useState(guess)
  const update = useCallback(() => {
    const next = ref.current && read(ref.current)
    if (next) setViewport((before) => (isSame(before, next) ? before : next))
  }, [ref])
  useLayoutEffect(() => {
    const observer = new ResizeObserver(() => flushSync(update))
    if (ref.current) observer.observe(ref.current)
    return () => observer.disconnect()
  }, [ref, update])
  return [viewport, update]
}
