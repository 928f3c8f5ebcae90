import { describe, expect, it } from 'vitest'
import { orderedRows } from './ordered-rows.ts'

const rows = [
  { id: 'a', size: 2 },
  { id: 'b', size: -1 },
  { id: 'c', size: 4 },
  { id: 'd', size: 0 },
  { id: 'e', size: 2 },
  { id: 'f', size: -1 },
]

const idsBy = (sortBy?: (row: { size: number }) => number) =>
  orderedRows(rows, { sortBy }).map(({ id }) => id)

describe('orderedRows', () => {
  it('puts the largest row first and keeps the order of equal rows', () => {
    expect(idsBy(({ size }) => size)).toEqual(['c', 'a', 'e', 'd', 'b', 'f'])
    expect(idsBy(() => 1)).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
  })

  it('keeps the order of rows without sorting', () => {
    expect(idsBy()).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
    expect(rows.map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
  })

  it('identifies a row by its index before sorting, or by `rowId`', () => {
    const sizes = [{ size: 1 }, { size: 3 }]
    const sortBy = ({ size }: { size: number }) => size
    expect(orderedRows(sizes, { sortBy }).map(({ id }) => id)).toEqual(['1', '0'])
    expect(orderedRows(sizes, { rowId: ({ size }) => `of ${size}` }).map(({ id }) => id)).toEqual([
      'of 1',
      'of 3',
    ])
  })
})
