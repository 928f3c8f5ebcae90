// Results of reports, for tests of charts.
import type { ReportDefinition, ReportResults, ResultColumn } from '../../../../contract/reports.ts'

export const dimension = (key: string, more: Partial<ResultColumn> = {}): ResultColumn => ({
  key,
  label: key,
  type: 'select',
  role: 'dimension',
  ...more,
})

export const measure = (key: string, more: Partial<ResultColumn> = {}): ResultColumn => ({
  key,
  label: key,
  type: 'number',
  role: 'measure',
  ...more,
})

export const amount = (key: string): ResultColumn => measure(key, { type: 'currency', perCurrency: true })

export const money = (value: number | string, currency: string) => ({ amount: value, currency })

export const resultsOf = (
  columns: ResultColumn[],
  rows: Record<string, unknown>[],
  more: Partial<ReportResults> = {},
): ReportResults => ({
  columns,
  rows,
  isTruncated: false,
  truncated: false,
  asOf: '2026-11-20T10:00:00.000Z',
  executionMs: 12,
  ...more,
})

/** `deals` are counted, `won` is summed, `average` is an average. */
export const definitionOf = (
  chart?: ReportDefinition['chart'],
  more: Partial<ReportDefinition> = {},
): ReportDefinition => ({
  name: 'Report',
  source: { objectId: 'deals', alias: 'deal' },
  measures: [
    { key: 'deals', op: 'count' },
    { key: 'won', op: 'sum', field: 'deal.amount' },
    { key: 'average', op: 'avg', field: 'deal.amount' },
    { key: 'share', op: 'percentage' },
    { key: 'largest', op: 'max', field: 'deal.amount' },
  ],
  ...(chart && { chart }),
  ...more,
})
