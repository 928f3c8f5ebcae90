// Keeps the focus in a box whose content changes: when the element that has it is removed, the content that takes its
// place gets it. Otherwise the next key would go to the page.
import { useEffect, useState } from 'react'

const CONTROLS = 'input:not([type=hidden]), select, textarea, button, a[href]'

const firstOf = (box: HTMLElement): HTMLElement | null =>
  box.querySelector<HTMLElement>('[data-autofocus]') ?? box.querySelector<HTMLElement>(CONTROLS)

function keepFocusIn(box: HTMLElement): () => void {
  let last: EventTarget | null = null
  const remember = ({ target }: FocusEvent) => {
    last = target
  }
  // What is still on its way takes the focus when it comes.
  const watcher = new MutationObserver(() => {
    const isLost = document.activeElement === document.body
    if (isLost && last instanceof HTMLElement && !last.isConnected) firstOf(box)?.focus()
  })
  box.addEventListener('focusin', remember)
  watcher.observe(box, { childList: true, subtree: true })
  return () => {
    watcher.disconnect()
    box.removeEventListener('focusin', remember)
  }
}

/** @returns the ref of the box */
export function useKeptFocus() {
  const [box, setBox] = useState<HTMLElement | null>(null)
  useEffect(() => (box ? keepFocusIn(box) : undefined), [box])
  return setBox
}
