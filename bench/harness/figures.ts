// The figures of a bench, and their comparison with its limit.

/** One row of a bench's results, also in the file that --json writes. */
export interface Row {
  case: string
  /** Median of the service's rounds. */
  figure: number
  unit: string
  /** Median of the limit's rounds, in `unit`; null where there is nothing to compare with. */
  limit: number | null
  /** figure / limit */
  ratio: number | null
  /** Minimum of the ratio, or its maximum for the rows of rows.ts; null for figures that are only reported. */
  target: number | null
  /** null without a target */
  met: boolean | null
}

export interface Comparison {
  case: string
  unit: string
  ours: readonly number[]
  /** Rounds of the limit; absent when there is no limit. */
  limit?: readonly number[]
  target?: number
}

/** @throws RangeError when there is no value */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const upper = sorted[sorted.length >> 1]
  const lower = sorted[(sorted.length - 1) >> 1]
  if (upper === undefined || lower === undefined) throw new RangeError('The median of nothing is not defined')
  return (lower + upper) / 2
}

/** The smallest value that `share` (0 to 1) of the sorted values do not exceed. @throws RangeError when empty */
export function percentile(sorted: Float64Array, share: number): number {
  const value = sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)]
  if (value === undefined) throw new RangeError('A percentile of nothing is not defined')
  return value
}

const FIGURE_DIGITS = 4

/** Rounds to four digits: a bench on a shared machine is not more precise. */
export const rounded = (value: number): number => Number(value.toPrecision(FIGURE_DIGITS))

const hundredths = (value: number) => Math.round(value * 100) / 100

/** Compares the medians of both sides. The ratio is rounded to two decimals before it is compared with the target. */
export function compare({ case: name, unit, ours, limit, target }: Comparison): Row {
  const figure = rounded(median(ours))
  if (limit === undefined)
    return { case: name, figure, unit, limit: null, ratio: null, target: null, met: null }
  const bound = rounded(median(limit))
  const ratio = bound === 0 ? null : hundredths(figure / bound)
  const met = target === undefined || ratio === null ? null : ratio >= target
  return { case: name, figure, unit, limit: bound, ratio, target: target ?? null, met }
}
