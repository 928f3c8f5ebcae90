import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Asked, countFor, type FilterFacts, waysTo } from './planner.ts'

const MILLION = 1_000_000

const facts = (found: number | undefined, more: Partial<FilterFacts> = {}): FilterFacts => ({
  found,
  isExact: true,
  probe: 'exact',
  isOrdered: false,
  ...more,
})

const asked = (filters: FilterFacts[], more: Partial<Asked> = {}): Asked => ({
  records: MILLION,
  filters,
  order: 'id',
  until: 51,
  ...more,
})

const first = (question: Asked) => waysTo(question)[0]

describe('the cheapest way', () => {
  test.each<[string, Asked, string]>([
    ['nothing matches', asked([facts(0), facts(undefined, { probe: 'none' })]), 'nothing'],
    ['one value that index rows give in order', asked([facts(200_000, { isOrdered: true })]), 'along'],
    ['a few of a range', asked([facts(900)]), 'gather'],
    ['a hundredth of a range', asked([facts(10_000)]), 'gather'],
    ['most of a range', asked([facts(900_000)]), 'walk'],
    ['a few in the order of a key', asked([facts(300)], { order: 'key' }), 'gather'],
    ['a tenth in the order of a key', asked([facts(100_000)], { order: 'key' }), 'walk'],
    ['nothing known, and no index rows', asked([facts(undefined, { probe: 'none' })]), 'walk'],
    ['a few in the order of no index', asked([facts(5000)], { order: 'none' }), 'gather'],
    [
      'two large ones, one of them in order',
      asked([facts(200_000, { isOrdered: true }), facts(100_000)]),
      'along',
    ],
    ['a rare and a common one', asked([facts(100), facts(900_000)]), 'gather'],
    ['deep among common ones', asked([facts(500_000)], { until: 400_000 }), 'gather'],
  ])('%s', (_, question, way) => {
    expect(first(question)?.way).toBe(way)
  })

  test('of many in a range only those among the first records are gathered, unless they are searched for', () => {
    const boundOf = (more: Partial<FilterFacts>) => {
      const way = first(asked([facts(10_000, more)]))
      return way?.way === 'gather' ? way.bound : Number.NaN
    }
    expect(boundOf({})).toBeLessThan(MILLION / 10)
    expect(boundOf({ isSearch: true })).toBeUndefined()
    expect(first(asked([facts(900)]))).toMatchObject({ way: 'gather', bound: undefined })
  })

  test('a walk that may end early is followed by a way that does not', () => {
    fc.assert(
      fc.property(questions, (question) => {
        const ways = waysTo(question)
        const last = ways.at(-1)
        expect(last && !('bound' in last && last.bound !== undefined)).toBe(true)
        expect(ways.length).toBeLessThanOrEqual(2)
      }),
    )
  })

  test('only index rows that there are are used', () => {
    fc.assert(
      fc.property(questions, (question) => {
        for (const way of waysTo(question)) {
          if (!('filter' in way)) continue
          expect(question.filters[way.filter]?.probe).not.toBe('none')
          if (way.way === 'along')
            expect(question.order === 'id' && question.filters[way.filter]?.isOrdered).toBe(true)
        }
      }),
    )
  })
})

const questions = fc
  .tuple(
    fc.integer({ min: 0, max: 10_000_000 }),
    fc.array(
      fc.record<FilterFacts>({
        found: fc.option(fc.integer({ min: 0, max: 10_000_000 }), { nil: undefined }),
        isExact: fc.boolean(),
        probe: fc.constantFrom('none', 'more', 'exact'),
        isOrdered: fc.boolean(),
        isSearch: fc.boolean(),
      }),
      { maxLength: 4 },
    ),
    fc.constantFrom<Asked['order']>('id', 'updated', 'key', 'none'),
    fc.integer({ min: 1, max: 1_000_000 }),
  )
  .map(([records, filters, order, until]) => ({ records, filters, order, until }))

describe('counting what no counter tells', () => {
  test.each<[string, FilterFacts[], string]>([
    ['two that index rows give exactly', [facts(200_000), facts(100_000)], 'intersection'],
    ['a rare one with a common one', [facts(100), facts(900_000)], 'records'],
    [
      'a rare one with one that has no index rows',
      [facts(100), facts(undefined, { probe: 'none' })],
      'records',
    ],
    [
      'a common one with one that has no index rows',
      [facts(800_000), facts(undefined, { probe: 'none' })],
      'scan',
    ],
    ['no index rows', [facts(undefined, { probe: 'none' })], 'scan'],
    ['five at once', Array.from({ length: 5 }, () => facts(100_000)), 'intersection'],
  ])('%s', (_, filters, by) => {
    expect(countFor({ records: MILLION, filters }).by).toBe(by)
  })

  test.each<[string, FilterFacts[], boolean]>([
    ['two of which one is small', [facts(900_000), facts(100_000)], true],
    ['two large ones', [facts(600_000), facts(700_000)], false],
    ['several that are large together', [facts(300_000), facts(300_000), facts(400_000)], false],
    ['one whose size nothing tells', [facts(5001, { isExact: false }), facts(6000)], false],
    ['one alone', [facts(100_000)], false],
  ])('keeps small ones in memory: %s', (_, filters, areSmall) => {
    const count = countFor({ records: MILLION, filters })
    expect(count).toMatchObject({ by: 'intersection', areSmall })
    expect('filters' in count && count.filters.map((place) => filters[place]?.found)).toEqual(
      filters.map(({ found }) => found).sort((a = 0, b = 0) => a - b),
    )
  })
})
