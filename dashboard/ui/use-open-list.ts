import { type RefObject, useLayoutEffect, useRef } from 'react'

/** Where a picker takes the focus when its form appears, its list is what was asked for: it opens. */
export function useOpenList<Box extends HTMLElement>(): RefObject<Box | null> {
  const box = useRef<Box>(null)
  useLayoutEffect(() => {
    box.current?.querySelector<HTMLElement>('input[aria-haspopup=listbox]:focus')?.click()
  }, [])
  return box
}
