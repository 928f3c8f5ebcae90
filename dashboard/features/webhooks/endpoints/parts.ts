// The tabs below the facts of an endpoint.
export const PARTS = ['deliveries', 'test', 'verify'] as const
export type Part = (typeof PARTS)[number]

export const PART_LABELS: Readonly<Record<Part, string>> = {
  deliveries: 'Deliveries',
  test: 'Test',
  verify: 'Verify',
}

export const partOf = (text: string | null | undefined): Part =>
  PARTS.find((part) => part === text) ?? 'deliveries'

/** Id of the tabs, and prefix of the id of each tab. */
export const PARTS_ID = 'endpoint'

/** Focuses the tab of a part, and scrolls it into view. */
export function focusPart(part: Part): void {
  const tab = document.getElementById(`${PARTS_ID}-tab-${part}`)
  tab?.focus({ preventScroll: true })
  tab?.scrollIntoView({ block: 'start' })
}
