// Moves the focus when the focused part moves or is removed.

export const partId = ({ list, key }: { list: string; key: string }): string => `${list}-${key}`

/** Focuses the part after it has moved. */
export function focusPart(place: { list: string; key: string }): void {
  requestAnimationFrame(() => {
    const part = document.querySelector(`[data-part="${CSS.escape(partId(place))}"]`)
    if (part instanceof HTMLElement) part.focus()
  })
}

/** Focuses the missing name. */
export function focusName(): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>('[data-report-name]')?.focus())
}
