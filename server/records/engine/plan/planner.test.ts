import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { FilterEstimate, PlannerInput } from './access-paths.ts'
import { LINKED_PASS_MAX } from './cost-model.ts'
import { countPlan } from './count.ts'
import { accessPaths, findsAll, pathsBeforeStatistics } from './planner.ts'

const MILLION = 1_000_000

const estimates = (found: number | undefined, more: Partial<FilterEstimate> = {}): FilterEstimate => ({
  found,
  isExact: true,
  indexMatch: 'exact',
  isOrdered: false,
  ...more,
})

const asked = (filters: FilterEstimate[], more: Partial<PlannerInput> = {}): PlannerInput => ({
  records: MILLION,
  filters,
  order: 'id',
  until: 51,
  ...more,
})

const first = (request: PlannerInput) => accessPaths(request)[0]

describe('the cheapest access path', () => {
  test.each<[string, PlannerInput, string]>([
    ['no matches', asked([estimates(0), estimates(undefined, { indexMatch: 'none' })]), 'empty'],
    [
      'one value with index rows in the order of ids',
      asked([estimates(200_000, { isOrdered: true })]),
      'index_scan',
    ],
    ['a few records in a range', asked([estimates(900)]), 'fetch_and_sort'],
    ['a hundredth of the records in a range', asked([estimates(10_000)]), 'fetch_and_sort'],
    ['most records in a range', asked([estimates(900_000)]), 'ordered_scan'],
    ['a few records in key order', asked([estimates(300)], { order: 'key' }), 'fetch_and_sort'],
    ['a tenth of the records in key order', asked([estimates(100_000)], { order: 'key' }), 'ordered_scan'],
    [
      'an unknown number of matches without index rows',
      asked([estimates(undefined, { indexMatch: 'none' })]),
      'ordered_scan',
    ],
    [
      'a few records in the order of a first key',
      asked([estimates(300)], { order: 'first_key' }),
      'fetch_and_sort',
    ],
    [
      'a hundredth of the records in the order of a first key with as many ties',
      asked([estimates(9000)], { order: 'first_key' }),
      'fetch_and_sort',
    ],
    [
      'a tenth of the records in the order of a first key',
      asked([estimates(100_000)], { order: 'first_key' }),
      'ordered_scan',
    ],
    [
      'a few records in an order without an index',
      asked([estimates(5000)], { order: 'none' }),
      'fetch_and_sort',
    ],
    [
      'two filters with many matches, one of them in the order of ids',
      asked([estimates(200_000, { isOrdered: true }), estimates(100_000)]),
      'index_scan',
    ],
    ['a rare and a common filter', asked([estimates(100), estimates(900_000)]), 'fetch_and_sort'],
    ['a deep offset in many matches', asked([estimates(500_000)], { until: 400_000 }), 'fetch_and_sort'],
  ])('is chosen for %s', (_, request, path) => {
    expect(first(request)?.path).toBe(path)
  })

  test('fetches only ids among the first records if many match a range, but not for a search', () => {
    const boundOf = (more: Partial<FilterEstimate>) => {
      const path = first(asked([estimates(10_000, more)]))
      return path?.path === 'fetch_and_sort' ? path.bound : Number.NaN
    }
    expect(boundOf({})).toBeLessThan(MILLION / 10)
    expect(boundOf({ isSearch: true })).toBeUndefined()
    expect(first(asked([estimates(900)]))).toMatchObject({ path: 'fetch_and_sort', bound: undefined })
  })

  test('is followed by a path without a bound if it has a bound', () => {
    fc.assert(
      fc.property(requests, (request) => {
        const paths = accessPaths(request)
        const last = paths.at(-1)
        expect(last && !('bound' in last && last.bound !== undefined)).toBe(true)
        expect(paths.length).toBeLessThanOrEqual(2)
      }),
    )
  })

  test('is a head scan if more records match than were counted and no total is requested', () => {
    const input = asked([estimates(5001, { isExact: false, isCapped: true })], { comparisons: 1 })
    expect(accessPaths(input).map(({ path }) => path)).toEqual([
      'head_scan',
      'fetch_and_sort',
      'fetch_and_sort',
    ])
    expect(first({ ...input, isTotalAsked: true })?.path).toBe('fetch_and_sort')
    expect(first({ ...input, order: 'key' })?.path).toBe('fetch_and_sort')
    const inOrder = estimates(5001, { isExact: false, isCapped: true, isOrdered: true })
    expect(first(asked([inOrder], { comparisons: 1 }))?.path).toBe('index_scan')
  })

  test('is planned before statistics for a search, and for a single filter with its total', () => {
    const [search, range] = [estimates(undefined, { isSearch: true }), estimates(undefined)]
    const pathsOf = (input: PlannerInput) => pathsBeforeStatistics(input).map(({ path }) => path)
    const more = { records: 10_000, comparisons: 1 }
    expect(pathsOf(asked([search], more))).toEqual(['head_scan', 'single_pass'])
    expect(pathsOf(asked([search], { ...more, isTotalAsked: true }))).toEqual(['single_pass'])
    expect(pathsOf(asked([search, range], more))).toEqual(['head_scan'])
    expect(pathsOf(asked([range], { ...more, isTotalAsked: true }))).toEqual(['single_pass'])
    expect(pathsOf(asked([range], more))).toEqual([])
    const linked = asked([{ ...range, isLinked: true }], { ...more, isTotalAsked: true })
    expect(pathsBeforeStatistics(linked)).toMatchObject([{ path: 'single_pass', bound: LINKED_PASS_MAX }])
    expect(pathsBeforeStatistics(linked).some(findsAll)).toBe(false)
    expect(pathsOf(asked([{ ...search, isCounted: true }], { ...more, isTotalAsked: true }))).toEqual([])
    expect(pathsOf(asked([], { ...more, offset: 2001 }))).toEqual(['offset_seek'])
    expect(pathsOf(asked([], { ...more, offset: 2001, order: 'none' }))).toEqual(['full_scan'])
    expect(pathsOf(asked([], { ...more, order: 'first_key' }))).toEqual(['ordered_scan'])
    expect(pathsOf(asked([], { ...more, offset: 2001, order: 'first_key' }))).toEqual(['full_scan'])
  })

  test('the last path of a plan with a head scan finds everything', () => {
    fc.assert(
      fc.property(requests, fc.integer({ min: 1, max: 20 }), (request, comparisons) => {
        const filters = request.filters.map((one) => ({ ...one, isCapped: !one.isExact }))
        const paths = accessPaths({ ...request, filters, comparisons })
        expect(paths.map(findsAll).indexOf(true)).toBe(paths.length - 1)
      }),
    )
  })

  test('only index conditions that exist are used', () => {
    fc.assert(
      fc.property(requests, (request) => {
        for (const path of accessPaths(request)) {
          if (!('filter' in path)) continue
          expect(request.filters[path.filter]?.indexMatch).not.toBe('none')
          if (path.path === 'index_scan')
            expect(request.order === 'id' && request.filters[path.filter]?.isOrdered).toBe(true)
        }
      }),
    )
  })
})

const requests = fc
  .tuple(
    fc.integer({ min: 0, max: 10_000_000 }),
    fc.array(
      fc.record<FilterEstimate>({
        found: fc.option(fc.integer({ min: 0, max: 10_000_000 }), { nil: undefined }),
        isExact: fc.boolean(),
        indexMatch: fc.constantFrom('none', 'superset', 'exact'),
        isOrdered: fc.boolean(),
        isSearch: fc.boolean(),
      }),
      { maxLength: 4 },
    ),
    fc.constantFrom<PlannerInput['order']>('id', 'updated', 'key', 'none'),
    fc.integer({ min: 1, max: 1_000_000 }),
  )
  .map(([records, filters, order, until]) => ({ records, filters, order, until }))

describe('counting without a counter', () => {
  test.each<[string, FilterEstimate[], string]>([
    ['two filters with exact index rows', [estimates(200_000), estimates(100_000)], 'intersection'],
    ['a rare and a common filter', [estimates(100), estimates(900_000)], 'records'],
    [
      'a rare filter and one without index rows',
      [estimates(100), estimates(undefined, { indexMatch: 'none' })],
      'records',
    ],
    [
      'a common filter and one without index rows',
      [estimates(800_000), estimates(undefined, { indexMatch: 'none' })],
      'scan',
    ],
    ['a filter without index rows', [estimates(undefined, { indexMatch: 'none' })], 'scan'],
    [
      'five filters with exact index rows',
      Array.from({ length: 5 }, () => estimates(100_000)),
      'intersection',
    ],
  ])('chooses the cheapest method for %s', (_, filters, by) => {
    expect(countPlan({ records: MILLION, filters }).by).toBe(by)
  })

  test.each<[string, FilterEstimate[], boolean]>([
    ['two sets, one of them small', [estimates(900_000), estimates(100_000)], true],
    ['two large sets', [estimates(600_000), estimates(700_000)], false],
    [
      'several sets that are large together',
      [estimates(300_000), estimates(300_000), estimates(400_000)],
      false,
    ],
    ['a set of unknown size', [estimates(5001, { isExact: false }), estimates(6000)], false],
    ['a single set', [estimates(100_000)], false],
  ])('keeps all sets but the largest in memory if they are small: %s', (_, filters, areSmall) => {
    const count = countPlan({ records: MILLION, filters })
    expect(count).toMatchObject({ by: 'intersection', areSmall })
    expect('filters' in count && count.filters.map((place) => filters[place]?.found)).toEqual(
      filters.map(({ found }) => found).sort((a = 0, b = 0) => a - b),
    )
  })
})
