// A button that works on a request is disabled, and loses the focus although nothing else took it.
let last: Element | undefined

/** To be called once, before anything has the focus. */
export function watchFocus(): void {
  document.addEventListener('focusin', ({ target }) => {
    if (target instanceof Element) last = target
  })
}

/** A menu is closed as one of its items is chosen: the focus returns to its button. */
export function menuButton(element: Element | null): Element | null {
  const menu = element?.closest('[role=menu]')
  return menu ? document.getElementById(menu.getAttribute('aria-labelledby') ?? '') : null
}

/** What has the focus, or would have it if it were not disabled. */
export function focused(): Element | null {
  const { activeElement, body } = document
  if (activeElement === body && last?.matches(':disabled')) return last
  return menuButton(activeElement) ?? activeElement
}
