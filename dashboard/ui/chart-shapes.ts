// Computes the shapes of the bars and the line of a small chart.

interface Box {
  width: number
  height: number
}

/** Positions count from the top left. `side` says which of the two counts the bar shows. */
export interface Bar {
  index: number
  side: 'up' | 'down'
  x: number
  y: number
  width: number
  height: number
}

interface Pair {
  up: number
  down: number
}

const GAP = 1
/** Least height of a bar, so that one among a thousand is visible. */
const LEAST = 1.5

const largest = (values: readonly number[]) => Math.max(0, ...values)

/**
 * Two kinds of bars, one above and one below a base line, so that they differ by more than color.
 * @returns `base`: the position of the base line; a value of zero has no bar
 */
export function barsOf(pairs: readonly Pair[], { width, height }: Box): { base: number; bars: Bar[] } {
  const highest = largest(pairs.map(({ up }) => up))
  const unit = height / Math.max(1, highest + largest(pairs.map(({ down }) => down)))
  const lengthOf = (count: number) => (count > 0 ? Math.max(LEAST, count * unit) : 0)
  const deepest = largest(pairs.map(({ down }) => lengthOf(down)))
  const base = height - deepest
  const step = width / Math.max(1, pairs.length)
  const bars = pairs.flatMap(({ up, down }, index): Bar[] => {
    const place = { index, x: index * step + GAP / 2, width: step - GAP }
    const above = Math.min(lengthOf(up), base)
    return [
      { ...place, side: 'up', y: base - above, height: above },
      { ...place, side: 'down', y: base, height: lengthOf(down) },
    ]
  })
  return { base, bars: bars.filter((bar) => bar.height > 0) }
}

export interface Point {
  x: number
  y: number
}

/** A line through the middle of each step, with zero at the bottom. A missing value breaks the line. */
export function linesOf(values: readonly (number | null)[], { width, height }: Box): Point[][] {
  const most = Math.max(1, largest(values.map((value) => value ?? 0)))
  const step = width / Math.max(1, values.length)
  const lines: Point[][] = []
  let isBroken = true
  for (const [index, value] of values.entries()) {
    if (value !== null) {
      const point = { x: (index + 0.5) * step, y: height - (value / most) * height }
      if (isBroken) lines.push([point])
      else lines.at(-1)?.push(point)
    }
    isBroken = value === null
  }
  return lines
}
