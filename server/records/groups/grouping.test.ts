import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Group } from '../../../contract/groups.ts'
import { sortedGroups } from './grouping.ts'

const group = (value: string | null, count = 1): Group => ({ value, count, sums: [] })
const select = { type: 'select' as const, config: { options: ['Lead', 'Won', 'Lost'] } }
const values = (groups: readonly Group[]) => groups.map(({ value }) => value)

describe('sortedGroups', () => {
  test('orders a select by its options, then removed options, then null', () => {
    const ordered = sortedGroups(select, [group('Old', 9), group(null, 5), group('Won', 3)])
    expect(ordered).toEqual([
      group('Lead', 0),
      group('Won', 3),
      group('Lost', 0),
      group('Old', 9),
      group(null, 5),
    ])
  })

  test('orders a checkbox as true, false, null', () => {
    expect(values(sortedGroups({ type: 'checkbox', config: null }, []))).toEqual(['true', 'false', null])
  })

  test('orders a date by month, then null', () => {
    const found = [group(null, 9), group('2026-11', 5), group('2025-02'), group('2026-01')]
    expect(values(sortedGroups({ type: 'date', config: null }, found))).toEqual([
      '2025-02',
      '2026-01',
      '2026-11',
      null,
    ])
  })

  test('keeps the order of a reference, with null last', () => {
    const found = [group(null, 9), group('b', 5), group('a')]
    expect(values(sortedGroups({ type: 'reference', config: null }, found))).toEqual(['b', 'a', null])
  })

  test('keeps every record exactly once', () => {
    const anyGroups = fc.uniqueArray(
      fc.record({
        value: fc.constantFrom('Lead', 'Won', 'Lost', 'Old', null),
        count: fc.integer({ min: 1, max: 100 }),
        sums: fc.constant<Group['sums']>([]),
      }),
      { selector: ({ value }) => value },
    )
    const total = (groups: readonly Group[]) => groups.reduce((sum, { count }) => sum + count, 0)
    fc.assert(
      fc.property(anyGroups, (found) => {
        const ordered = sortedGroups(select, found)
        expect(total(ordered)).toBe(total(found))
        expect(new Set(values(ordered)).size).toBe(ordered.length)
        expect(ordered.at(-1)?.value).toBeNull()
      }),
    )
  })
})
