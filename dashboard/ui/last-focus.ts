// A button that works on a request is disabled, and loses the focus although nothing else took it.
let last: Element | undefined

/** To be called once, before anything has the focus. */
export function watchFocus(): void {
  document.addEventListener('focusin', ({ target }) => {
    if (target instanceof Element) last = target
  })
}

/** What has the focus, or would have it if it were not disabled. */
export function focused(): Element | null {
  const { activeElement, body } = document
  return activeElement === body && last?.matches(':disabled') ? last : activeElement
}
