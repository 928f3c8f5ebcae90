// The longest time without an acknowledged write in each round, and statistics over all rounds.

export interface Round {
  fault: string
  /** The longest time between two acknowledged writes, in ms. */
  gapMs: number
}

/** @param acknowledgedAt in any order @returns ms of the longest time within the span without an acknowledged write */
export function longestGap(acknowledgedAt: readonly number[], [from, to]: readonly [number, number]): number {
  const within = acknowledgedAt.filter((at) => at > from && at < to).toSorted((a, b) => a - b)
  const ends = [from, ...within, to]
  return ends.slice(1).reduce((longest, at, place) => Math.max(longest, at - (ends[place] ?? at)), 0)
}

/** The smallest value that at least `share` (0 to 1) of the values do not exceed. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN
}

const seconds = (ms: number) => (ms / 1000).toFixed(1)

const line = (name: string, gaps: readonly number[]) =>
  [name, gaps.length, ...[0.5, 0.99, 1].map((share) => seconds(quantile(gaps, share)))].join(' | ')

/** A Markdown table with the number of rounds and the gaps in seconds, for each fault and for all faults. */
export function tableOf(rounds: readonly Round[]): string {
  const byFault = Map.groupBy(rounds, ({ fault }) => fault)
  const lines = [...byFault].map(([fault, those]) =>
    line(
      fault,
      those.map(({ gapMs }) => gapMs),
    ),
  )
  const all = line(
    'all',
    rounds.map(({ gapMs }) => gapMs),
  )
  const head = ['fault | rounds | gap p50, s | p99, s | longest, s', '---|--:|--:|--:|--:']
  return [...head, ...lines, all].map((text) => `| ${text} |`).join('\n')
}
