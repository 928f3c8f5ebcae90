import { describe, expect, test } from 'vitest'
import type { ReportDefinition } from '../../../../contract/reports.ts'
import { draw, stage } from './drawings.fixture.ts'
import { funnelSteps } from './parts-of-whole.ts'
import { definitionOf, dimension, measure, resultsOf } from './results.fixture.ts'

const deals = measure('deals')
const won = { ...stage, colors: { Won: 'green', Lost: 'red' } as const }

type Chart = NonNullable<ReportDefinition['chart']>

describe('bars', () => {
  const colorsOf = (
    columns: Parameters<typeof resultsOf>[0],
    rows: Record<string, unknown>[],
    chart: Chart,
  ) =>
    draw('categories', definitionOf(chart), resultsOf(columns, rows)).facets.map(
      ({ series, categories }) => ({
        series: series.map(({ color }) => color),
        categories: categories.map(({ color }) => color),
      }),
    )

  const rows = [
    { stage: 'Lead', month: '2026-09-01', deals: 2 },
    { stage: 'Won', month: '2026-09-01', deals: 3 },
    { stage: 'Old', month: '2026-09-01', deals: 4 },
  ]

  test('of options have the configured or default option color; other values are gray', () => {
    expect(colorsOf([won, deals], rows, { type: 'bar', x: 'stage' })).toEqual([
      { series: [0], categories: ['indigo', 'green', 'gray'] },
    ])
  })

  test('of other values have the color of the series', () => {
    const owner = dimension('owner', { type: 'text' })
    expect(colorsOf([owner, deals], [{ owner: 'Ada', deals: 1 }], { type: 'bar', x: 'owner' })).toEqual([
      { series: [0], categories: [undefined] },
    ])
  })

  test('of several series have series colors: option colors if the series are options', () => {
    const month = dimension('month', { type: 'date', bucket: 'month' })
    const chart = { type: 'stacked_bar', x: 'month', series: 'stage' } as const
    expect(colorsOf([month, won, deals], rows, chart)).toEqual([
      { series: ['indigo', 'green', 'gray'], categories: [undefined] },
    ])
    const measures: Chart = { type: 'bar', x: 'stage', y: ['deals', 'average'] }
    const both = rows.map((row) => ({ ...row, average: 1 }))
    expect(colorsOf([won, deals, measure('average')], both, measures)[0]?.series).toEqual([0, 1])
  })

  test('of series use chart colors if two options have the same color', () => {
    const same = { ...stage, colors: { Lead: 'green', Won: 'green' } as const }
    const month = dimension('month', { type: 'date', bucket: 'month' })
    const chart = { type: 'stacked_bar', x: 'month', series: 'stage' } as const
    expect(colorsOf([month, same, deals], rows, chart)[0]?.series).toEqual([0, 1, 2])
    expect(colorsOf([same, deals], rows, { type: 'bar', x: 'stage' })[0]?.categories).toEqual([
      'green',
      'green',
      'gray',
    ])
  })
})

test('slices and funnel steps of options have option colors', () => {
  const rows = [
    { stage: 'Lost', deals: 5 },
    { stage: 'Won', deals: 3 },
  ]
  const pie = draw('shares', definitionOf({ type: 'pie', x: 'stage' }), resultsOf([won, deals], rows))
  expect(pie.facets[0]?.categories.map(({ color }) => color)).toEqual(['red', 'green'])
  const funnel = draw('funnel', definitionOf({ type: 'funnel', x: 'stage' }), resultsOf([won, deals], rows))
  expect(funnel.facets.flatMap(funnelSteps).map(({ color }) => color)).toEqual(['indigo', 'green', 'red'])
})

test('slices of other values have chart colors', () => {
  const owner = dimension('owner', { type: 'text' })
  const rows = Array.from({ length: 10 }, (_, place) => ({ owner: `Owner ${place}`, deals: 10 - place }))
  const donut = draw('shares', definitionOf({ type: 'donut', x: 'owner' }), resultsOf([owner, deals], rows))
  expect(donut.facets[0]?.categories.map(({ color }) => color)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8])
})

test('points of options have option colors', () => {
  const scatter = definitionOf({ type: 'scatter', x: 'deals', y: ['average'], series: 'stage' })
  const rows = [
    { stage: 'Won', deals: 1, average: 2 },
    { stage: 'Lost', deals: 2, average: 2 },
  ]
  const { facets } = draw('points', scatter, resultsOf([won, deals, measure('average')], rows))
  expect(facets[0]?.series.map(({ color }) => color)).toEqual(['green', 'red'])
})
