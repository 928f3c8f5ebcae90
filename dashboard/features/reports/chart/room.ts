// Estimates the space of texts in a chart. Measuring each text would require rendering twice.

/** Average width of a character at 12 px. */
const CHARACTER_PX = 6.6

export const textWidth = (text: string): number => text.length * CHARACTER_PX
export const fitting = (widthPx: number): number => Math.max(4, Math.floor(widthPx / CHARACTER_PX))

/** Whether names fit side by side below their bars without rotation. */
export function fitSideBySide(labels: readonly string[], widthPx: number): boolean {
  const each = widthPx / Math.max(1, labels.length)
  return labels.every((label) => textWidth(label) + 8 <= each)
}

/** Moves positions as little as possible, so that they are `gap` apart, in the same order and within [0, max]. */
export function spread(wanted: readonly number[], gap: number, max: number): number[] {
  const order = wanted.map((_, index) => index).toSorted((a, b) => (wanted[a] ?? 0) - (wanted[b] ?? 0))
  const places = [...wanted]
  let lowest = 0
  for (const index of order) {
    places[index] = Math.max(wanted[index] ?? 0, lowest)
    lowest = (places[index] ?? 0) + gap
  }
  let highest = max
  for (const index of order.toReversed()) {
    places[index] = Math.min(places[index] ?? 0, highest)
    highest = (places[index] ?? 0) - gap
  }
  return places
}

const SWATCH_PX = 30
const LEGEND_LINE_PX = 22
const LEGEND_GAP_PX = 8

/** Height of the legend above a chart; 0 for a single series. */
export function legendHeight(series: readonly { label: string }[], widthPx: number): number {
  if (series.length < 2) return 0
  let [lines, used] = [1, 0]
  for (const { label } of series) {
    const own = Math.min(widthPx, textWidth(label) + SWATCH_PX)
    if (used + own > widthPx) [lines, used] = [lines + 1, 0]
    used += own
  }
  return lines * LEGEND_LINE_PX + LEGEND_GAP_PX
}
