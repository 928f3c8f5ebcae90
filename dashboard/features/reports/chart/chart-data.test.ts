import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ChartType } from '../../../../contract/report-states.ts'
import type { ReportDefinition, ReportResults } from '../../../../contract/reports.ts'
import { chartTypeOf } from './axes.ts'
import { drawingOf, isDrawn } from './chart-data.ts'
import { deals, draw, month, stage, tell, whyNot } from './drawings.fixture.ts'
import { funnelSteps } from './parts-of-whole.ts'
import { amount, definitionOf, dimension, measure, money, resultsOf } from './results.fixture.ts'

describe('the default chart', () => {
  test.each([
    ['table', [dimension('name', { role: 'value' })]],
    ['number', [deals]],
    ['bar', [stage, deals]],
    ['line', [month, deals]],
    ['stacked_bar', [month, stage, deals]],
    ['line', [month, stage, measure('average')]],
  ] as const)('is %s', (type, columns) => {
    expect(chartTypeOf(definitionOf(), { columns: [...columns] })).toBe(type)
  })
})

describe('bars and lines', () => {
  test('shows a second group as series in row order, and missing values as 0', () => {
    const rows = [
      { month: '2026-09-01', stage: 'Won', deals: 2 },
      { month: '2026-10-01', stage: 'Lost', deals: 3 },
    ]
    const { facets, isTime } = draw(
      'categories',
      definitionOf({ type: 'stacked_bar', x: 'month', series: 'stage' }),
      resultsOf([month, stage, deals], rows),
    )
    expect(isTime).toBe(true)
    expect(facets.map(tell)).toEqual([
      {
        title: '',
        series: ['Won', 'Lost'],
        rows: [
          ['Sep 2026', '2', '0'],
          ['Oct 2026', '0', '3'],
        ],
      },
    ])
  })

  test('shows months in order, including those without rows; a missing average is a gap', () => {
    const rows = [
      { month: '2026-12-01', average: 4 },
      { month: '2026-10-01', average: '2.5' },
      { month: null, average: 9 },
    ]
    const { facets, notes } = draw(
      'categories',
      definitionOf({ type: 'line', x: 'month', y: ['average'] }),
      resultsOf([month, measure('average')], rows),
    )
    expect(facets.map(tell)[0]?.rows).toEqual([
      ['Oct 2026', '2.5'],
      ['Nov 2026', null],
      ['Dec 2026', '4'],
    ])
    expect(notes).toEqual(['Rows without a date are only in the table.'])
  })

  test.each([
    { truncated: true },
    { definition: { having: { key: 'deals', operator: 'greaterThan', value: 1 } } },
  ])(
    'shows no 0 for a group that may only be missing from the results: %j',
    ({ truncated = false, definition }) => {
      const rows = [
        { month: '2026-09-01', deals: 2 },
        { month: '2026-11-01', deals: 3 },
      ]
      const { facets } = draw(
        'categories',
        definitionOf({ type: 'bar', x: 'month' }, definition),
        resultsOf([month, deals], rows, { truncated }),
      )
      expect(facets.map(tell)[0]?.rows[1]).toEqual(['Oct 2026', null])
    },
  )

  test('shows separate charts for each currency and for counts', () => {
    const rows = [
      { stage: 'Won', deals: 2, won: money('10.10', 'EUR') },
      { stage: 'Won', deals: 1, won: money('12345678901234567890.5', 'USD') },
      { stage: null, deals: 5, won: null },
    ]
    const { facets } = draw(
      'categories',
      definitionOf({ type: 'bar', x: 'stage', y: ['deals', 'won'] }),
      resultsOf([stage, deals, amount('won')], rows),
    )
    expect(facets.map(tell)).toEqual([
      {
        title: 'deals',
        series: ['deals'],
        rows: [
          ['Won', '3'],
          ['No value', '5'],
        ],
      },
      {
        title: 'won, EUR',
        series: ['won'],
        rows: [
          ['Won', '10.10'],
          ['No value', '0'],
        ],
      },
      {
        title: 'won, USD',
        series: ['won'],
        rows: [
          ['Won', '12345678901234567890.5'],
          ['No value', '0'],
        ],
      },
    ])
  })

  test('shows records with the same name as separate groups', () => {
    const company = dimension('company', { type: 'reference' })
    const rows = [
      { company: { id: '1', name: 'Acme' }, deals: 2 },
      { company: { id: '2', name: 'Acme' }, deals: 3 },
    ]
    const { facets } = draw('categories', definitionOf({ type: 'bar' }), resultsOf([company, deals], rows))
    expect(facets.map(tell)[0]?.rows).toEqual([
      ['Acme', '2'],
      ['Acme', '3'],
    ])
  })

  test('combines the smallest of more than eight series', () => {
    const owner = dimension('owner', { type: 'text' })
    const rows = Array.from({ length: 12 }, (_, index) => ({
      stage: 'Won',
      owner: `Owner ${index}`,
      deals: index + 1,
    }))
    const { facets } = draw(
      'categories',
      definitionOf({ type: 'stacked_bar', x: 'stage', series: 'owner' }),
      resultsOf([stage, owner, deals], rows),
    )
    const [facet] = facets
    expect(facet?.series.map(({ color }) => color)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8])
    expect(facet?.series.at(-1)?.label).toBe('Other (4)')
    expect(facet?.categories[0]?.cells.at(-1)).toBe('10')
  })

  test('of too many groups shows the largest, or the first ones of a sorted report', () => {
    const rows = Array.from({ length: 100 }, (_, index) => ({ stage: `Stage ${index}`, deals: index }))
    const results = resultsOf([stage, deals], rows)
    const chart = { type: 'bar', x: 'stage' } as const
    const largest = draw('categories', definitionOf(chart), results)
    expect(largest.facets[0]?.categories[0]?.label).toBe('Stage 70')
    expect(largest.notes).toEqual(['The chart shows the largest 30 of 100 groups; the table has all.'])
    const sorted = draw('categories', definitionOf(chart, { sort: [{ key: 'deals' }] }), results)
    expect(sorted.facets[0]?.categories.map(({ label }) => label).slice(0, 2)).toEqual(['Stage 0', 'Stage 1'])
  })

  test('combines too many days into weeks', () => {
    const day = dimension('day', { type: 'date', bucket: 'day' })
    const rows = Array.from({ length: 400 }, (_, index) => ({
      day: new Date(Date.UTC(2026, 0, 1 + index)).toISOString().slice(0, 10),
      deals: 1,
    }))
    const { facets, notes } = draw(
      'categories',
      definitionOf({ type: 'bar', x: 'day' }),
      resultsOf([day, deals], rows),
    )
    expect(notes).toEqual(['The chart shows weeks, because there are too many days.'])
    expect(facets[0]?.categories[0]).toMatchObject({ label: 'Week of Dec 29, 2025', cells: ['4'] })
  })

  test('does not compute an average from averages of groups', () => {
    const rows = [
      { stage: 'Won', owner: 'Ada', place: 'A', average: 4 },
      { stage: 'Won', owner: 'Ada', place: 'B', average: 6 },
    ]
    const columns = [stage, dimension('owner'), dimension('place'), measure('average')]
    expect(whyNot(definitionOf({ type: 'bar' }), resultsOf(columns, rows))).toBe(
      'average cannot be combined over place: remove a group, or choose another chart',
    )
  })

  test('the drawn values add up to the sum of the rows', () => {
    const row = fc.record({
      stage: fc.constantFrom('A', 'B', 'C', null),
      owner: fc.constantFrom(...Array.from({ length: 15 }, (_, index) => `Owner ${index}`)),
      deals: fc.integer({ min: -1000, max: 1000 }),
    })
    const columns = [stage, dimension('owner'), deals]
    fc.assert(
      fc.property(fc.array(row, { minLength: 1 }), (rows) => {
        const { facets } = draw(
          'categories',
          definitionOf({ type: 'stacked_bar', x: 'stage', series: 'owner' }),
          resultsOf(columns, rows),
        )
        const drawn = facets.flatMap(({ categories }) => categories.flatMap(({ cells }) => cells))
        const sum = drawn.reduce((all, cell) => all + Number(cell), 0)
        expect(sum).toBe(rows.reduce((all, one) => all + one.deals, 0))
      }),
    )
  })
})

describe('parts of a whole', () => {
  const pie = definitionOf({ type: 'pie', x: 'stage', y: ['deals'] })

  test('sorts slices by size, and omits slices of 0', () => {
    const rows = [
      { stage: 'Lead', deals: 1 },
      { stage: 'Won', deals: 3 },
      { stage: 'Lost', deals: 0 },
    ]
    const { facets } = draw('shares', pie, resultsOf([stage, deals], rows))
    expect(facets.map(tell)[0]?.rows).toEqual([
      ['Won', '3'],
      ['Lead', '1'],
    ])
  })

  test('returns the reason why averages, negative values and zeros cannot be shares', () => {
    const average = definitionOf({ type: 'donut', x: 'stage', y: ['average'] })
    const averages = resultsOf([stage, measure('average')], [{ stage: 'Won', average: 2 }])
    expect(whyNot(average, averages)).toBe('average cannot be shown as parts of a whole: choose a bar chart')
    const below = resultsOf([stage, deals], [{ stage: 'Won', deals: -1 }])
    expect(whyNot(pie, below)).toBe('Negative values cannot be shown as parts of a whole: choose a bar chart')
    const zeros = resultsOf([stage, deals], [{ stage: 'Won', deals: 0 }])
    expect(whyNot(pie, zeros)).toBe('All values are 0, so there are no parts to show')
  })

  test.each([
    ['deals', 'won', 'The chart shows the number of deals.'],
    ['won', 'deals', 'The chart shows the sum of amount.'],
    ['open', 'won', 'The chart shows Open deals.'],
  ])('notes which of several values is shown: %s', (first, other, note) => {
    const columns = [
      stage,
      measure('deals', { label: 'Deals' }),
      measure('open', { label: 'Open deals' }),
      measure('won', { label: 'Sum of amount' }),
    ]
    const measures: ReportDefinition['measures'] = [
      { key: 'deals', op: 'count' },
      { key: 'open', op: 'count', label: 'Open deals' },
      { key: 'won', op: 'sum', field: 'deal.amount' },
    ]
    const definition = definitionOf({ type: 'pie', x: 'stage', y: [first, other] }, { measures })
    const rows = [{ stage: 'Won', deals: 3, open: 2, won: 40 }]
    expect(draw('shares', definition, resultsOf(columns, rows)).notes).toEqual([note])
  })

  test('sorts the steps of a funnel by option, each with its percentage of the previous step', () => {
    const rows = [
      { stage: 'Won', deals: 3 },
      { stage: null, deals: 9 },
      { stage: 'Lead', deals: 4 },
    ]
    const funnel = definitionOf({ type: 'funnel', x: 'stage', y: ['deals'] })
    const { facets, notes } = draw('funnel', funnel, resultsOf([stage, deals], rows))
    const [facet] = facets
    expect(facet && funnelSteps(facet)).toMatchObject([
      { label: 'Lead', value: '4', width: 1, conversion: undefined },
      { label: 'Won', value: '3', width: 0.75, conversion: 75 },
      { label: 'Lost', value: '0', width: 0, conversion: 0 },
    ])
    expect(notes).toEqual(['Rows without stage are only in the table.'])
  })

  const stagesOf = (more: Partial<ReportDefinition>, results: ReportResults) =>
    draw('funnel', definitionOf({ type: 'funnel', x: 'stage' }, more), results).facets.map(({ categories }) =>
      categories.map(({ label, cells }) => [label, ...cells]),
    )

  test('shows an empty step as 0, in each currency', () => {
    const rows = [
      { stage: 'Lead', won: money(4, 'EUR') },
      { stage: 'Lost', won: money(2, 'USD') },
    ]
    expect(stagesOf({}, resultsOf([stage, amount('won')], rows))).toEqual([
      [
        ['Lead', '4'],
        ['Won', '0'],
        ['Lost', '0'],
      ],
      [
        ['Lead', '0'],
        ['Won', '0'],
        ['Lost', '2'],
      ],
    ])
  })

  test.each([
    ['cut off', {}, true],
    ['restricted by a condition', { having: { key: 'deals', operator: 'greaterThan', value: 1 } }, false],
    [
      'filtered',
      {
        groupBy: [{ key: 'stage', field: 'deal.stage' }],
        filters: { and: [{ field: 'deal.stage', operator: 'notEquals', value: 'Won' }] },
      },
      false,
    ],
  ])('omits a step that is missing from results that are %s', (_, more, truncated) => {
    const rows = [
      { stage: 'Lead', deals: 4 },
      { stage: 'Lost', deals: 2 },
    ]
    expect(stagesOf(more, resultsOf([stage, deals], rows, { truncated }))[0]).toHaveLength(2)
  })
})

describe('numbers and points', () => {
  test('adds sums of groups by currency, but not averages', () => {
    const rows = [
      { stage: 'Won', won: money('0.1', 'EUR'), deals: 1 },
      { stage: 'Lost', won: money('0.2', 'EUR'), deals: 2 },
      { stage: 'Lost', won: money(5, 'USD'), deals: 3 },
    ]
    const columns = [stage, amount('won'), deals]
    const number = draw('figures', definitionOf({ type: 'number' }), resultsOf(columns, rows))
    expect(number.figures.map(({ label, value }) => [label, value])).toEqual([
      ['won, EUR', '0.3'],
      ['won, USD', '5'],
      ['deals', '6'],
    ])
    const averages = resultsOf(
      [stage, measure('average')],
      [
        { stage: 'Won', average: 1 },
        { stage: 'Lost', average: 2 },
      ],
    )
    expect(whyNot(definitionOf({ type: 'number' }), averages)).toMatch(/^average has several values/)
  })

  test('a scatter chart needs two numbers', () => {
    const scatter = definitionOf({ type: 'scatter', x: 'deals', y: ['average'] })
    const rows = [
      { stage: 'Won', deals: 1, average: 2 },
      { stage: 'Lost', deals: 1, average: null },
    ]
    const { facets } = draw('points', scatter, resultsOf([stage, deals, measure('average')], rows))
    expect(facets[0]?.series[0]?.points).toEqual([{ label: 'Won', x: '1', y: '2' }])
    expect(whyNot(definitionOf({ type: 'scatter' }), resultsOf([stage, deals], rows))).toBe(
      'A scatter chart needs two numbers: add a second one to the report',
    )
  })
})

describe('any result', () => {
  const types: ChartType[] = [
    'bar',
    'stacked_bar',
    'line',
    'area',
    'pie',
    'donut',
    'scatter',
    'number',
    'funnel',
  ]

  test.each(types)('%s: without rows is empty, and with texts is undrawable', (type) => {
    const definition = definitionOf({ type })
    expect(drawingOf(definition, resultsOf([stage, deals], [])).kind).toBe('nothing')
    const texts = resultsOf([dimension('name', { role: 'value' })], [{ name: 'Acme' }])
    expect(drawingOf(definition, texts).kind).toBe('undrawable')
    expect(isDrawn(definition, texts)).toBe(false)
  })

  test.each(types)('%s: missing values do not throw', (type) => {
    const results = resultsOf([stage, amount('won'), deals], [{ stage: null, won: null, deals: null }])
    expect(() => drawingOf(definitionOf({ type }), results)).not.toThrow()
  })
})
