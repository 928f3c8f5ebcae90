// What lies below an endpoint's facts, one at a time.
export const PARTS = ['deliveries', 'test', 'verify'] as const
export type Part = (typeof PARTS)[number]

export const PART_LABELS: Readonly<Record<Part, string>> = {
  deliveries: 'Deliveries',
  test: 'Test',
  verify: 'Verify',
}

export const partOf = (text: string | null | undefined): Part =>
  PARTS.find((part) => part === text) ?? 'deliveries'

/** Of the tabs, which name each tab after it. */
export const PARTS_ID = 'endpoint'

/** The tab of a part that is opened from above comes into sight. */
export function focusPart(part: Part): void {
  const tab = document.getElementById(`${PARTS_ID}-tab-${part}`)
  tab?.focus({ preventScroll: true })
  tab?.scrollIntoView({ block: 'start' })
}
