import { describe, expect, test } from 'vitest'
import type { ChartType } from '../../../../contract/report-states.ts'
import { chartTypeOf } from './axes.ts'
import { drawingOf } from './chart-data.ts'
import { deals, draw, month, stage, tell, whyNot } from './drawings.fixture.ts'
import { amount, definitionOf, dimension, measure, money, resultsOf } from './results.fixture.ts'

describe('truncated results', () => {
  const rows = [
    { stage: 'Lead', deals: 1 },
    { stage: 'Won', deals: 3 },
  ]
  const cut = resultsOf([stage, deals], rows, { truncated: true })

  test.each(['number', 'pie', 'donut', 'funnel'] as const)(
    '%s notes that only the first rows are shown',
    (type) => {
      const drawing = drawingOf(definitionOf({ type }), cut)
      expect('notes' in drawing && drawing.notes).toEqual(['The chart shows the first 2 rows only.'])
    },
  )
})

describe('groups with common records', () => {
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
  ] as const)('are not drawn as %s, because values cannot be added', (type, axes) => {
    expect(whyNot(definitionOf({ type, ...axes, y: ['deals'] }), results)).toBe(why)
  })

  test('are drawn side by side, with 0 for missing values', () => {
    const stacked = definitionOf({ type: 'stacked_bar', x: 'month', series: 'tag' })
    const drawing = draw('categories', stacked, results)
    expect(drawing).toMatchObject({ isAdditive: false, notes: [why] })
    expect(drawing.facets.map(tell)[0]?.rows[1]).toEqual(['Oct 2026', '0', '0'])
    expect(chartTypeOf(definitionOf(), results)).toBe('line')
  })
})

describe('shares of amounts', () => {
  const currency = dimension('share_currency', { type: 'text' })
  const share = (currencyKey: string) =>
    measure('share', { type: 'percentage', perCurrency: true, currencyKey })
  const chartOf = (type: ChartType) => definitionOf({ type, x: 'stage', y: ['share'] })

  test('are drawn for each currency, and never added across currencies', () => {
    const rows = [
      { stage: 'Lead', share: 70, share_currency: 'EUR' },
      { stage: 'Won', share: 30, share_currency: 'EUR' },
      { stage: 'Won', share: 100, share_currency: 'USD' },
    ]
    const results = resultsOf([stage, share('share_currency'), currency], rows)
    expect(chartTypeOf(definitionOf(), results)).toBe('bar')
    const { facets } = draw('categories', chartOf('bar'), results)
    expect(facets.map(({ title, categories }) => [title, categories.map(({ cells }) => cells[0])])).toEqual([
      ['% of EUR', ['70', '30']],
      ['% of USD', ['0', '100']],
    ])
    const { facets: donuts } = draw('shares', chartOf('donut'), results)
    expect(donuts.map(({ title }) => title)).toEqual(['% of EUR', '% of USD'])
  })

  test('have the currency of their amounts', () => {
    const rows = [
      { stage: 'Won', other: money(1, 'USD'), won: money(2, 'EUR'), share: 40 },
      { stage: 'Won', other: money(1, 'USD'), won: money(2, 'GBP'), share: 50 },
    ]
    const results = resultsOf([stage, amount('other'), amount('won'), share('won')], rows)
    const { facets } = draw('categories', chartOf('bar'), results)
    expect(facets.map(({ title }) => title)).toEqual(['% of EUR', '% of GBP'])
  })
})
