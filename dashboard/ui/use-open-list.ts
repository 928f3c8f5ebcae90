import { type RefObject, useLayoutEffect, useRef } from 'react'

/** Opens the list of the picker that has the focus when its form appears: the user opened the form for this list. */
export function useOpenList<Box extends HTMLElement>(): RefObject<Box | null> {
  const box = useRef<Box>(null)
  useLayoutEffect(() => {
    box.current?.querySelector<HTMLElement>('input[aria-haspopup=listbox]:focus')?.click()
  }, [])
  return box
}
