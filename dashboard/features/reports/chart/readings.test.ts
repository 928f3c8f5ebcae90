import { describe, expect, test } from 'vitest'
import { bucketLabel, bucketStart, bucketsBetween } from './buckets.ts'
import { formatExact, formatShort, labelOf, textOf, toDecimal } from './readings.ts'
import { amount, definitionOf, dimension, measure, money, resultsOf } from './results.fixture.ts'
import { fitSideBySide, legendHeight, spread } from './room.ts'
import { totalsOf } from './totals.ts'

describe('buckets', () => {
  test.each([
    ['2026-03-02', 'day', 'Mar 2, 2026'],
    ['2026-03-02', 'week', 'Week of Mar 2, 2026'],
    ['2026-03-01', 'month', 'Mar 2026'],
    ['2026-07-01', 'quarter', 'Q3 2026'],
    ['2026-01-01', 'year', '2026'],
    ['nonsense', 'month', 'nonsense'],
  ] as const)('the label of %s by %s is %s', (day, bucket, label) => {
    expect(bucketLabel(day, bucket)).toBe(label)
  })

  test.each([
    ['2026-11-22', 'week', '2026-11-16'],
    ['2026-11-16', 'week', '2026-11-16'],
    ['2026-11-22', 'month', '2026-11-01'],
    ['2026-11-22', 'quarter', '2026-10-01'],
    ['2026-11-22', 'year', '2026-01-01'],
    ['0021-11-22', 'quarter', '0021-10-01'],
    ['0099-11-22', 'week', '0099-11-16'],
  ] as const)('the bucket of %s by %s starts at %s', (day, bucket, start) => {
    expect(bucketStart(day, bucket)).toBe(start)
  })

  test('months of the years 0 to 99 are not moved to 1900', () => {
    expect(bucketsBetween(['0099-11-01', '0100-01-01'], 'month', 4)).toEqual([
      '0099-11-01',
      '0099-12-01',
      '0100-01-01',
    ])
  })

  test('returns all buckets between two days, or undefined if there are too many', () => {
    expect(bucketsBetween(['2027-01-01', '2026-10-01'], 'month', 4)).toEqual([
      '2026-10-01',
      '2026-11-01',
      '2026-12-01',
      '2027-01-01',
    ])
    expect(bucketsBetween(['2027-01-01', '2026-10-01'], 'month', 3)).toBeUndefined()
    expect(bucketsBetween(['0999-01-01', '2026-10-01'], 'day', 800)).toBeUndefined()
  })
})

describe('texts', () => {
  test.each([
    [dimension('a', { type: 'reference' }), { id: '1', name: 'Acme' }, 'Acme'],
    [dimension('a', { type: 'date', bucket: 'month' }), '2026-03-01', 'Mar 2026'],
    [dimension('a', { type: 'checkbox' }), false, 'No'],
    [dimension('a', { type: 'list', role: 'value' }), ['vip', 'eu'], 'vip, eu'],
    [measure('a'), '12345678901234567890.125', '12,345,678,901,234,567,890.125'],
    [measure('a', { type: 'percentage' }), 12.3456, '12.3456%'],
    [amount('a'), money('1200.5', 'USD'), '$1,200.50'],
    [measure('a'), null, ''],
  ])('of the column %j and the value %j', (column, value, text) => {
    expect(textOf(column, value)).toBe(text)
  })

  test('label a group without a value', () => {
    expect(labelOf(dimension('a'), null)).toBe('No value')
    expect(labelOf(dimension('a'), '')).toBe('No value')
  })

  test('keep all digits of numbers, and shorten numbers only on axes', () => {
    expect(formatExact({ kind: 'currency', currency: 'USD' }, '1234567.25')).toBe('$1,234,567.25')
    expect(formatShort({ kind: 'currency', currency: 'USD' }, 1_234_567)).toBe('$1.23M')
    expect(formatShort({ kind: 'number' }, 1050)).toBe('1,050')
    expect(formatShort({ kind: 'percentage' }, 12.5)).toBe('12.5%')
    expect([toDecimal(1e-7), toDecimal(1e21), toDecimal('x'), toDecimal(null)]).toEqual([
      '0.0000001',
      '1000000000000000000000',
      undefined,
      undefined,
    ])
  })
})

describe('totals', () => {
  const columns = [dimension('stage'), measure('deals'), amount('won'), measure('average'), measure('share')]

  test('are exact, by currency, and only for columns that can be added', () => {
    const rows = [
      { stage: 'Won', deals: 1, won: money('0.1', 'USD'), average: 2, share: 50 },
      { stage: 'Won', deals: 1, won: money('0.2', 'USD'), average: 2, share: 25 },
      { stage: 'Lost', deals: 2, won: money(3, 'EUR'), average: 4, share: 25 },
    ]
    expect(totalsOf(definitionOf(), resultsOf(columns, rows))).toEqual([[], ['4'], ['$0.30', '€3'], [], []])
  })

  test('are undefined for groups with common records', () => {
    const tags = [dimension('tag'), measure('deals', { overlapping: true })]
    const rows = [
      { tag: 'vip', deals: 2 },
      { tag: 'eu', deals: 1 },
    ]
    expect(totalsOf(definitionOf(), resultsOf(tags, rows))).toBeUndefined()
  })

  test('are undefined for a single row and for averages', () => {
    const row = { stage: 'Won', deals: 1, won: null, average: 2, share: 50 }
    expect(totalsOf(definitionOf(), resultsOf(columns, [row]))).toBeUndefined()
    const averages = resultsOf([dimension('stage'), measure('average')], [row, row])
    expect(totalsOf(definitionOf(), averages)).toBeUndefined()
  })
})

describe('space estimates', () => {
  test('labels are spread with a distance and keep their order', () => {
    expect(spread([10, 12, 11], 15, 100)).toEqual([10, 40, 25])
    expect(spread([100, 98], 15, 100)).toEqual([100, 85])
  })

  test('whether names fit side by side', () => {
    expect(fitSideBySide(['Lead', 'Won'], 300)).toBe(true)
    expect(fitSideBySide(['United Kingdom of Great Britain', 'Won'], 300)).toBe(false)
  })

  test('the height of a legend depends on the length of its names', () => {
    const names = ['Lead', 'Qualified', 'Proposal'].map((label) => ({ label }))
    expect(legendHeight(names.slice(1, 2), 300)).toBe(0)
    expect(legendHeight(names, 300)).toBe(30)
    expect(legendHeight(names, 120)).toBe(74)
  })
})
