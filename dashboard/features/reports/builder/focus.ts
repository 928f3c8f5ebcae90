// Where the focus goes when the part that had it moves or is removed.

export const partId = ({ list, key }: { list: string; key: string }): string => `${list}-${key}`

/** To the part, once it is at its new place. */
export function focusPart(place: { list: string; key: string }): void {
  requestAnimationFrame(() => {
    const part = document.querySelector(`[data-part="${CSS.escape(partId(place))}"]`)
    if (part instanceof HTMLElement) part.focus()
  })
}

/** To the name, where it is missing. */
export function focusName(): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>('[data-report-name]')?.focus())
}
