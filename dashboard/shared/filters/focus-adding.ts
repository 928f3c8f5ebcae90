/** Moves the focus from a part that will be removed to the "add" button of its sentence. */
export function focusAdding(): void {
  const sentence = document.activeElement?.closest('[data-sentence]')
  requestAnimationFrame(() => {
    const add = sentence?.querySelector('[data-add]')
    if (add instanceof HTMLElement) add.focus()
  })
}
