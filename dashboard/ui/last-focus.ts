// A button is disabled while its request runs. It loses the focus then, although no other element takes it.
let last: Element | undefined

/** Called once, before any element has the focus. */
export function watchFocus(): void {
  document.addEventListener('focusin', ({ target }) => {
    if (target instanceof Element) last = target
  })
}

/**
 * The button of the menu that the element is in. A menu closes when an item is chosen, and the focus returns to its
 * button.
 */
export function menuButton(element: Element | null): Element | null {
  const menu = element?.closest('[role=menu]')
  return menu ? document.getElementById(menu.getAttribute('aria-labelledby') ?? '') : null
}

/** The element that has the focus, or would have it if it were not disabled. */
export function focused(): Element | null {
  const { activeElement, body } = document
  if (activeElement === body && last?.matches(':disabled')) return last
  return menuButton(activeElement) ?? activeElement
}
