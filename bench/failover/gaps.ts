// How long no write was acknowledged, and what that comes to over many rounds.

export interface Round {
  fault: string
  /** The longest time between two acknowledged writes, in ms. */
  gapMs: number
}

/** @param acknowledgedAt in any order @returns the longest time between two of them within the span, in ms */
export function longestGap(acknowledgedAt: readonly number[], [from, to]: readonly [number, number]): number {
  const within = acknowledgedAt.filter((at) => at > from && at < to).toSorted((a, b) => a - b)
  const ends = [from, ...within, to]
  return ends.slice(1).reduce((longest, at, place) => Math.max(longest, at - (ends[place] ?? at)), 0)
}

/** The least value that `share` of all are not above. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN
}

const seconds = (ms: number) => (ms / 1000).toFixed(1)

const line = (name: string, gaps: readonly number[]) =>
  [name, gaps.length, ...[0.5, 0.99, 1].map((share) => seconds(quantile(gaps, share)))].join(' | ')

/** A table in Markdown: rounds and gaps in seconds of each fault, and of all. */
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
