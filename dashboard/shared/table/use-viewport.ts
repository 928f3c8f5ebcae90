// What part of a scrolling element is in sight.
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

/** Before the first measure: the whole window, so that the first picture has its rows, and on a phone no more columns. */
const guess = (): Viewport => ({ top: 0, left: 0, width: window.innerWidth, height: window.innerHeight })

const isSame = (one: Viewport, other: Viewport) =>
  one.top === other.top && one.left === other.left && one.width === other.width && one.height === other.height

/**
 * First measured after the browser has laid the page out, and before it is painted: asked for earlier, the browser
 * would lay out the page in the same task that draws it, a sixth of a second on a phone.
 * @returns what is in sight, and what to call on every scroll
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
