// Keeps the focus in a box whose content changes. When the focused element is removed, an element nearby gets the
// focus. Otherwise the next key would go to the page.
import { useEffect, useState } from 'react'

const CONTROLS =
  ":is(input:not([type=hidden]), select, textarea, button, a[href]):not(:disabled, [tabindex='-1'])"

const firstOf = (box: Element): HTMLElement | null =>
  box.querySelector<HTMLElement>('[data-autofocus]') ?? box.querySelector<HTMLElement>(CONTROLS)

/** The ancestors of the element up to the box, innermost first. */
function groupsOf(element: Element, box: Element): Element[] {
  const groups: Element[] = []
  for (let group = element.parentElement; group && group !== box; group = group.parentElement)
    groups.push(group)
  return [...groups, box]
}

function keepFocusIn(box: HTMLElement): () => void {
  let last: Element | undefined
  let groups: Element[] = []
  let frame = 0
  const remember = ({ target }: FocusEvent) => {
    if (!(target instanceof Element)) return
    last = target
    groups = groupsOf(target, box)
  }
  const isLost = () => document.activeElement === document.body && last?.isConnected === false
  const keep = () => {
    if (!isLost()) return
    const near = groups.filter((group) => box.contains(group)).map(firstOf)
    near.find((control) => control !== null)?.focus({ preventScroll: true })
  }
  // Content that is still loading gets the focus when it is inserted. The next frame gives other code time to set the
  // focus first.
  const watcher = new MutationObserver(() => {
    if (!isLost()) return
    cancelAnimationFrame(frame)
    frame = requestAnimationFrame(keep)
  })
  box.addEventListener('focusin', remember)
  watcher.observe(box, { childList: true, subtree: true })
  return () => {
    watcher.disconnect()
    cancelAnimationFrame(frame)
    box.removeEventListener('focusin', remember)
  }
}

/** @returns a ref callback for the box */
export function useKeptFocus() {
  const [box, setBox] = useState<HTMLElement | null>(null)
  useEffect(() => (box ? keepFocusIn(box) : undefined), [box])
  return setBox
}
