// Figures as lines of the table. Here less is better: a ratio, and a target, is how many times the limit's time.
import { median, percentile, type Row, rounded } from './figures.ts'

export interface Times {
  case: string
  unit: string
  ours: number
  limit: number
}

const hundredths = (value: number) => Math.round(value * 100) / 100

const ratioOf = (figure: number, limit: number) => (limit === 0 ? null : hundredths(figure / limit))

/** Our figure, the limit's and their ratio, without a target. */
export const withRatio = ({ case: name, unit, ours, limit }: Times): Row => ({
  case: name,
  figure: rounded(ours),
  unit,
  limit: rounded(limit),
  ratio: ratioOf(ours, limit),
  target: null,
  met: null,
})

/** At most `target` times the limit's, or at most `enough`. */
export function atMost(times: Times, target: number, enough = 0): Row {
  const row = withRatio(times)
  return { ...row, target, met: times.ours <= enough || (row.ratio !== null && row.ratio <= target) }
}

/** A fixed upper bound: `limit` of the row is the bound, which is not measured. */
export const allowed = (name: string, unit: string, ours: number, most: number): Row => ({
  ...atMost({ case: name, unit, ours, limit: most }, 1),
})

/** Only reported. */
export const reported = (name: string, unit: string, ours: number): Row => ({
  case: name,
  figure: rounded(ours),
  unit,
  limit: null,
  ratio: null,
  target: null,
  met: null,
})

export const p50 = median

export const p95 = (values: readonly number[]): number => percentile(Float64Array.from(values).sort(), 0.95)
