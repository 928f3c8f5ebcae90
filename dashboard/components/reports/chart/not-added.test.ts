import { describe, expect, test } from 'vitest'
import { chartTypeOf } from './axes.ts'
import { drawingOf } from './chart-data.ts'
import { deals, draw, month, stage, tell, whyNot } from './drawings.fixture.ts'
import { definitionOf, dimension, measure, resultsOf } from './results.fixture.ts'

describe('results that were cut off', () => {
  const rows = [
    { stage: 'Lead', deals: 1 },
    { stage: 'Won', deals: 3 },
  ]
  const cut = resultsOf([stage, deals], rows, { truncated: true })

  test.each(['number', 'pie', 'donut', 'funnel'] as const)('%s says that it is of the first rows', (type) => {
    const drawing = drawingOf(definitionOf({ type }), cut)
    expect('notes' in drawing && drawing.notes).toEqual(['Of the first 2 rows only.'])
  })
})

describe('groups that have records in common', () => {
  const tag = dimension('tag')
  const common = measure('deals', { overlapping: true })
  const why = 'A record can be in several groups: deals cannot be added up.'
  const rows = [
    { month: '2026-09-01', tag: 'vip', deals: 2 },
    { month: '2026-11-01', tag: 'vip', deals: 1 },
    { month: '2026-11-01', tag: 'eu', deals: 1 },
  ]
  const results = resultsOf([month, tag, common], rows)

  test.each([
    ['number', {}],
    ['donut', { x: 'tag' }],
    ['bar', { x: 'tag', series: 'tag' }],
  ] as const)('no %s of them', (type, axes) => {
    expect(whyNot(definitionOf({ type, ...axes, y: ['deals'] }), results)).toBe(why)
  })

  test('they are beside each other, and none is 0', () => {
    const stacked = definitionOf({ type: 'stacked_bar', x: 'month', series: 'tag' })
    const drawing = draw('categories', stacked, results)
    expect(drawing).toMatchObject({ isAdditive: false, notes: [why] })
    expect(drawing.facets.map(tell)[0]?.rows[1]).toEqual(['Oct 2026', '0', '0'])
    expect(chartTypeOf(definitionOf(), results)).toBe('line')
  })
})
