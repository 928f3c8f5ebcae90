import { expect, it } from 'vitest'
import type { ReportDefinition } from '../../../../contract/reports.ts'
import { asksTheSame } from './asks-the-same.ts'

const asked: ReportDefinition = {
  ...{ name: 'A', source: { objectId: 'deals', alias: 'deal' }, limit: 10 },
  measures: [{ key: 'n', op: 'count' }],
}

it.each([
  ['no change', {}, true],
  ['another name, description and chart', { name: 'B', description: 'C', chart: { type: 'bar' } }, true],
  ['another order of keys', { source: { alias: 'deal', objectId: 'deals' } }, true],
  ['another limit', { limit: 11 }, false],
  ['another measure', { measures: [{ key: 'n', op: 'sum', field: 'deal.amount' }] }, false],
  ['another filter', { filters: { field: 'deal.stage', operator: 'isEmpty', value: 'true' } }, false],
] as const)('whether a definition asks the same with %s', (_, change, isSame) => {
  expect(asksTheSame(asked, { ...asked, ...change } as ReportDefinition)).toBe(isSame)
})
