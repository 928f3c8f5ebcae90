import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import type { ResultColumn } from '../../../../contract/reports.ts'
import { orderedRows } from '../../../ui/data-table/ordered-rows.ts'
import { identityText, subtract } from './cells.ts'
import { countKinds, type Difference, differenceOf, type Row, sizeOf } from './difference.ts'

const month: ResultColumn = {
  ...{ key: 'month', label: 'Month', type: 'date', role: 'dimension', bucket: 'month' },
}
const stage: ResultColumn = { key: 'stage', label: 'Stage', type: 'select', role: 'dimension' }
const deals: ResultColumn = { key: 'deals', label: 'Deals', type: 'number', role: 'measure' }
const won: ResultColumn = {
  ...{ key: 'won', label: 'Won', type: 'currency', role: 'measure', perCurrency: true },
}
const usd = (amount: number | string) => ({ amount, currency: 'USD' })
const eur = (amount: number) => ({ amount, currency: 'EUR' })

const compare = (columns: ResultColumn[], before: Row[], after: Row[]) => {
  const found = differenceOf({ columns, rows: before }, { columns, rows: after })
  if (!found) throw new Error('They should be comparable')
  return found
}

describe('subtract', () => {
  it.each([
    [3, 1, '2'],
    [0.3, 0.1, '0.2'],
    ['123456789012345678901234567890', '123456789012345678901234567889.5', '0.5'],
    [1e21, 0, '1000000000000000000000'],
    [5e-7, 0, '0.0000005'],
    [-1.5, 1, '-2.5'],
    [1, 1, '0'],
    ['Won', 1, undefined],
    [null, 1, undefined],
  ])('%j - %j = %j', (to, from, result) => {
    expect(subtract(to, from)).toBe(result)
  })

  test('equals the JavaScript result for integers', () => {
    const whole = fc.integer({ min: -1e9, max: 1e9 })
    fc.assert(fc.property(whole, whole, (a, b) => subtract(a, b) === String(a - b)))
  })
})

describe('differenceOf', () => {
  it('returns added, removed and changed rows with differences', () => {
    const { rows } = compare(
      [stage, deals],
      [
        { stage: 'Lead', deals: 2 },
        { stage: 'Won', deals: 3 },
        { stage: 'Lost', deals: 1 },
      ],
      [
        { stage: 'Won', deals: 5 },
        { stage: 'Lead', deals: 2 },
        { stage: null, deals: 4 },
      ],
    )
    expect(rows).toEqual([
      {
        ...{ kind: 'changed', before: { stage: 'Won', deals: 3 }, after: { stage: 'Won', deals: 5 } },
        changes: { deals: { from: 3, to: 5, delta: '2' } },
      },
      {
        ...{ kind: 'same', before: { stage: 'Lead', deals: 2 }, after: { stage: 'Lead', deals: 2 } },
        changes: {},
      },
      {
        ...{ kind: 'added', before: undefined, after: { stage: null, deals: 4 } },
        changes: { deals: { from: null, to: 4, delta: '4' } },
      },
      {
        ...{ kind: 'removed', before: { stage: 'Lost', deals: 1 }, after: undefined },
        changes: { deals: { from: 1, to: null, delta: '-1' } },
      },
    ])
    expect(countKinds(rows)).toEqual({ added: 1, removed: 1, changed: 1, same: 1 })
    expect(rows.map((row) => sizeOf(row, 'deals'))).toEqual([2, -1, 4, 1])
    const bySize = orderedRows(rows, { sortBy: (row) => sizeOf(row, 'deals') })
    expect(bySize.map(({ row }) => row.changes['deals']?.delta)).toEqual(['4', '2', '-1', undefined])
  })

  it('compares rows by currency, and matches a group that had no amount before', () => {
    const { rows } = compare(
      [month, won],
      [
        { month: '2026-01-01', won: usd(10) },
        { month: '2026-01-01', won: eur(5) },
        { month: '2026-02-01', won: null },
      ],
      [
        { month: '2026-01-01', won: eur(7) },
        { month: '2026-01-01', won: usd(10) },
        { month: '2026-02-01', won: usd(3) },
      ],
    )
    expect(rows.map(({ kind, changes }) => [kind, changes['won']?.delta])).toEqual([
      ['changed', '2'],
      ['same', undefined],
      ['changed', '3'],
    ])
  })

  it('compares shares and groups with two amounts by currency', () => {
    const share: ResultColumn = {
      ...{ key: 'share', label: 'Share', type: 'percentage', role: 'measure', perCurrency: true },
      currencyKey: 'share_currency',
    }
    const named: ResultColumn = { key: 'share_currency', label: 'Currency', type: 'text', role: 'dimension' }
    const shareOf = (value: number, currency: string): Row => ({
      ...{ stage: 'Won', share: value, share_currency: currency },
    })
    const columns = [stage, share, named]
    const shares = compare(
      columns,
      [shareOf(40, 'EUR'), shareOf(60, 'USD')],
      [shareOf(70, 'USD'), shareOf(40, 'EUR')],
    )
    expect(shares.keys).toEqual([stage])
    expect(shares.rows.map(({ changes }) => changes['share']?.delta)).toEqual(['10', undefined])
    const withoutShares = { columns: [stage], rows: [{ stage: 'Won' }] }
    expect(differenceOf(withoutShares, { columns, rows: [shareOf(1, 'EUR')] })?.onlyAfter).toEqual([
      share,
      named,
    ])

    const lost: ResultColumn = { ...won, key: 'lost' }
    const both = compare(
      [stage, won, lost],
      [
        { stage: 'Won', won: usd(1), lost: usd(1) },
        { stage: 'Won', won: usd(2), lost: eur(2) },
      ],
      [
        { stage: 'Won', won: usd(2), lost: eur(3) },
        { stage: 'Won', won: usd(1), lost: usd(1) },
      ],
    )
    expect(both.rows.map(({ changes }) => changes['lost']?.delta)).toEqual(['1', undefined])
  })

  it('matches renamed records by id', () => {
    const company: ResultColumn = { ...stage, key: 'company', type: 'reference' }
    const { rows } = compare(
      [company, deals],
      [{ company: { id: 'a', name: 'Acme' }, deals: 1 }],
      [{ company: { id: 'a', name: 'Acme Inc.' }, deals: 1 }],
    )
    expect(rows.map(({ kind }) => kind)).toEqual(['same'])
  })

  it('matches plain rows by the first column with unique values', () => {
    const name: ResultColumn = { key: 'name', label: 'Name', type: 'text', role: 'value' }
    const size: ResultColumn = { key: 'size', label: 'Size', type: 'number', role: 'value' }
    const { keys, rows } = compare(
      [size, name],
      [
        { size: 1, name: 'A' },
        { size: 1, name: 'B' },
      ],
      [{ size: 2, name: 'B' }],
    )
    expect(keys).toEqual([name])
    expect(rows.map(({ kind, changes }) => [kind, changes['size']?.delta])).toEqual([
      ['changed', '1'],
      ['removed', '-1'],
    ])
  })

  it('prefers columns of names to columns of numbers for matching plain rows', () => {
    const size: ResultColumn = { key: 'size', label: 'Size', type: 'number', role: 'value' }
    const stageOf: ResultColumn = { key: 'stage', label: 'Stage', type: 'select', role: 'value' }
    const company: ResultColumn = { key: 'company', label: 'Company', type: 'reference', role: 'value' }
    const row = (value: number, name: string): Row => ({
      ...{ size: value, stage: `Stage ${value}`, company: { id: name, name } },
    })
    const { keys, rows } = compare(
      [size, stageOf, company],
      [row(1, 'A'), row(2, 'B')],
      [row(3, 'A'), row(2, 'B')],
    )
    expect(keys).toEqual([company])
    expect(rows.map(({ kind, changes }) => [kind, changes['size']?.delta])).toEqual([
      ['changed', '2'],
      ['same', undefined],
    ])
  })

  it('compares common columns, and lists the other columns', () => {
    const before = { columns: [stage, deals], rows: [{ stage: 'Won', deals: 1 }] }
    const after = { columns: [stage, won], rows: [{ stage: 'Won', won: usd(1) }] }
    const found = differenceOf(before, after)
    expect(found?.rows.map(({ kind }) => kind)).toEqual(['same'])
    expect([found?.onlyBefore, found?.onlyAfter]).toEqual([[deals], [won]])
  })

  it('returns undefined for different groups and for no columns', () => {
    const rows: Row[] = []
    expect(differenceOf({ columns: [stage, deals], rows }, { columns: [month, deals], rows })).toBeUndefined()
    const weekly: ResultColumn = { ...month, bucket: 'week' }
    expect(
      differenceOf({ columns: [weekly, deals], rows }, { columns: [month, deals], rows }),
    ).toBeUndefined()
    expect(differenceOf({ columns: [], rows }, { columns: [], rows })).toBeUndefined()
  })
})

/** The rows of the later run, rebuilt from the difference. */
const apply = ({ rows }: Difference): Row[] =>
  rows
    .filter(({ kind }) => kind !== 'removed')
    .map(({ before, after, changes }) => ({
      ...(before ?? after),
      ...Object.fromEntries(Object.entries(changes).map(([key, { to }]) => [key, to])),
    }))

const columns = [stage, month, deals, won]
const amount = fc.oneof(fc.integer({ min: -5, max: 5 }), fc.constant('123456789012345678901'))
const row: fc.Arbitrary<Row> = fc.record({
  stage: fc.constantFrom('Lead', 'Won', null),
  month: fc.constantFrom('2026-01-01', '2026-02-01'),
  deals: fc.integer({ min: 0, max: 3 }),
  won: fc.oneof(fc.constant(null), fc.record({ amount, currency: fc.constantFrom('USD', 'EUR') })),
})
const results = fc.array(row, { maxLength: 12 })

describe('for any two results', () => {
  test('a result compared with itself is unchanged', () => {
    fc.assert(
      fc.property(results, (rows) => {
        expect(compare(columns, rows, rows).rows.every(({ kind }) => kind === 'same')).toBe(true)
      }),
    )
  })

  test('the earlier rows plus the changes are the later rows', () => {
    fc.assert(
      fc.property(results, results, (before, after) => {
        const found = compare(columns, before, after)
        expect(apply(found).map(identityText)).toEqual(after.map(identityText))
      }),
    )
  })

  test('contains every row of both results once', () => {
    fc.assert(
      fc.property(results, results, (before, after) => {
        const { rows } = compare(columns, before, after)
        expect(rows.flatMap((one) => one.before ?? [])).toHaveLength(before.length)
        expect(rows.flatMap((one) => one.after ?? [])).toHaveLength(after.length)
      }),
    )
  })

  test('swapping the runs swaps added and removed rows', () => {
    fc.assert(
      fc.property(results, results, (before, after) => {
        const there = countKinds(compare(columns, before, after).rows)
        const back = countKinds(compare(columns, after, before).rows)
        expect([back.added, back.removed]).toEqual([there.removed, there.added])
      }),
    )
  })
})
