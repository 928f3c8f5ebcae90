import { expect, test } from 'vitest'
import { DEALS, fieldNamed } from './builder.fixture.ts'
import { dropAction, takes } from './dropping.ts'

const amount = { field: fieldNamed(DEALS, 'deal.amount') }
const stage = { field: fieldNamed(DEALS, 'deal.stage') }
const part = { part: { list: 'groupBy', key: 'stage', index: 2, count: 3 } } as const
const ROWS = { ...DEALS, measures: undefined, columns: [] }

test.each([
  [stage, DEALS, ['measures', 'groupBy', 'filters']],
  [amount, DEALS, ['measures', 'filters']],
  [stage, ROWS, ['columns', 'filters']],
  [part, DEALS, ['groupBy']],
])('zones accept only fitting fields and parts', (dragged, draft, zones) => {
  const all = ['measures', 'groupBy', 'columns', 'filters', 'sort'] as const
  expect(all.filter((zone) => takes(draft, dragged, zone))).toEqual(zones)
})

test.each([
  [stage, { zone: 'groupBy' }, { does: 'group', field: stage.field }],
  [amount, { zone: 'measures', index: 0 }, { does: 'measure', op: 'sum', field: amount.field, at: 0 }],
  [stage, { zone: 'columns' }, { does: 'column', field: stage.field }],
  [stage, { zone: 'filters' }, undefined],
  [part, { zone: 'groupBy', index: 0 }, { does: 'move', list: 'groupBy', from: 2, to: 0 }],
  [part, { zone: 'groupBy', index: 2 }, undefined],
  [part, { zone: 'measures', index: 0 }, undefined],
] as const)('returns the action for a drop', (dragged, target, action) => {
  expect(dropAction(dragged, target)).toEqual(action)
})
