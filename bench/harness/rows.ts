// Rows for figures where less is better: the target is a maximum of the ratio to the limit.
import { median, percentile, type Row, rounded } from './figures.ts'

export interface Times {
  case: string
  unit: string
  ours: number
  limit: number
}

const hundredths = (value: number) => Math.round(value * 100) / 100

const ratioOf = (figure: number, limit: number) => (limit === 0 ? null : hundredths(figure / limit))

/** The figure of the service, the figure of the limit and their ratio, without a target. */
export const withRatio = ({ case: name, unit, ours, limit }: Times): Row => ({
  case: name,
  figure: rounded(ours),
  unit,
  limit: rounded(limit),
  ratio: ratioOf(ours, limit),
  target: null,
  met: null,
})

/** Met when the figure is at most `target` times the limit, or at most `enough`. */
export function atMost(times: Times, target: number, enough = 0): Row {
  const row = withRatio(times)
  return { ...row, target, met: times.ours <= enough || (row.ratio !== null && row.ratio <= target) }
}

/** Met when the figure is at most `most`, a fixed bound that becomes the row's `limit`. */
export const allowed = (name: string, unit: string, ours: number, most: number): Row => ({
  ...atMost({ case: name, unit, ours, limit: most }, 1),
})

/** A figure without a limit and a target. */
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
