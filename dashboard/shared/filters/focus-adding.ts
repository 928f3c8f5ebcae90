/** From a part that is about to be removed to the button of its sentence that adds one. */
export function focusAdding(): void {
  const sentence = document.activeElement?.closest('[data-sentence]')
  requestAnimationFrame(() => {
    const add = sentence?.querySelector('[data-add]')
    if (add instanceof HTMLElement) add.focus()
  })
}
