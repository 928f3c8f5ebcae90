// Where the focus goes when what had it moves or is gone.

export const partId = ({ list, key }: { list: string; key: string }): string => `${list}-${key}`

/** To the part, once it is at its new place. */
export function focusPart(place: { list: string; key: string }): void {
  requestAnimationFrame(() => {
    const part = document.querySelector(`[data-part="${CSS.escape(partId(place))}"]`)
    if (part instanceof HTMLElement) part.focus()
  })
}

/** From a part that is about to go to the plus of its sentence. */
export function focusAdding(): void {
  const sentence = document.activeElement?.closest('[data-sentence]')
  requestAnimationFrame(() => {
    const add = sentence?.querySelector('[data-add]')
    if (add instanceof HTMLElement) add.focus()
  })
}

/** To the name, where it is missing. */
export function focusName(): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>('[data-report-name]')?.focus())
}
