// What the simulation of many cells is built of, besides queues.
import { describe, expect, test } from 'vitest'
import { createRandom } from '../../server/demo/random.ts'
import { BUSY_MAX, CORES, capacityOf, directoryMs, MOVED, type Plan, renewalMs } from './capacity.ts'
import { type Inputs, mixed, OPERATIONS, pickOperation } from './inputs.ts'
import { busiest, groups, moveLargest, placeByCount, zipf } from './organizations.ts'
import { fillPage } from './tables.ts'

const cost = (nodeMs: number, postgresMs: number) => ({ nodeMs, postgresMs })
const same = <Value>(value: Value) => ({
  ...{ get: value, list: value, create: value, patch: value, bulk: value },
})

/** Every request costs PostgreSQL 0.1 ms. */
const inputs: Inputs = {
  ...{ day: '', machine: '', clientMs: 0, points: same({ rate: 0, p50Ms: 0, p99Ms: 0 }) },
  ...{ operations: same(cost(0.2, 0.1)), admission: cost(0.05, 0.025), renewal: cost(0.01, 0.002) },
}
const sum = (values: Float64Array) => values.reduce((total, value) => total + value, 0)

describe('organizations', () => {
  test('shares of Zipf: all of the load, in proportion to the rank', () => {
    const shares = zipf(1000, 1)
    expect(sum(shares)).toBeCloseTo(1, 10)
    expect((shares[0] ?? 0) / (shares[9] ?? 1)).toBeCloseTo(10, 6)
  })

  test('are placed by count: equal organizations make equal cells', () => {
    const loads = placeByCount(zipf(1000, 0), 8)
    expect(sum(loads)).toBeCloseTo(1, 10)
    expect(busiest(loads)).toBeCloseTo(1 / 8, 10)
  })

  test('moving the largest leaves no cell far above the others, and never divides an organization', () => {
    const shares = zipf(100_000, 0.8)
    expect(busiest(moveLargest(shares, 10, MOVED))).toBeCloseTo(0.1, 3)
    expect(busiest(placeByCount(shares, 10))).toBeGreaterThan(0.105)
    expect(busiest(moveLargest(shares, 100, MOVED))).toBeCloseTo(shares[0] ?? 0, 6)
    expect(sum(moveLargest(zipf(100_000, 0.5), 100, MOVED))).toBeCloseTo(1, 6)
  })
})

test('groups of organizations are all of them, with all of their load', () => {
  const found = groups(zipf(100_000, 0.8))
  expect(found.length).toBeLessThan(2000)
  expect(found.reduce((total, { count }) => total + count, 0)).toBe(100_000)
  expect(found.reduce((total, { share, count }) => total + share * count, 0)).toBeCloseTo(1, 10)
})

describe('capacity', () => {
  const shares = zipf(10_000, 0)
  const planOf = (cells: number, store: Plan['store']): Plan => ({ cells, shares, store, isMoved: false })
  const ofCell = (1000 * CORES * BUSY_MAX) / 0.1

  test('one cell: its cores by the cost of a request', () => {
    const { rate, limit } = capacityOf({ ...inputs, renewal: cost(0, 0) }, planOf(1, 'memory'))
    expect(rate).toBeCloseTo(ofCell, 3)
    expect(limit).toBe('a cell')
  })

  test('requests counted in a cell: a quarter more for each', () => {
    const { rate, limit } = capacityOf(inputs, planOf(100, 'database'))
    expect(limit).toBe('a cell')
    expect(rate / ofCell / 100).toBeCloseTo(0.8, 2)
  })

  test('the directory: a question of each process, and one for each key that it meets in a day', () => {
    const rate = 1_000_000
    const processes = Math.ceil((rate * 0.25) / (1000 * BUSY_MAX))
    const expected = processes * (2.5 + 10_000 / 86_400) * 0.025
    expect(directoryMs(inputs, planOf(1, 'database'), rate)).toBeCloseTo(expected, 3)
    const { limit, directoryBusy } = capacityOf(inputs, planOf(100_000, 'database'))
    expect(limit).toBe('the directory')
    expect(directoryBusy).toBeCloseTo(BUSY_MAX, 3)
  })

  test('counted in memory by one process for each key: as many renewals at every rate', () => {
    const all = 2.5 * 0.002 * 10_000
    expect(renewalMs(inputs, planOf(1, 'affine'), 1_000_000)).toBeCloseTo(all, 3)
    expect(renewalMs(inputs, planOf(1, 'affine'), 8_000_000)).toBeCloseTo(all, 3)
  })

  test('counted in memory, every process renews the keys that it knows', () => {
    // Every organization asks every process within ten seconds: all keys are known to each.
    const rate = 1_000_000
    const processes = Math.ceil((rate * 0.2) / (1000 * BUSY_MAX))
    const expected = processes * 2.5 * 0.002 * 10_000 * (1 - Math.exp((-rate / 10_000 / processes) * 10))
    expect(renewalMs(inputs, planOf(1, 'memory'), rate)).toBeCloseTo(expected, 3)
  })
})

test('the mix is complete, and drawn in its shares', () => {
  expect(mixed(() => 1)).toBeCloseTo(1, 10)
  const random = createRandom(5)
  const drawn = Array.from({ length: 100_000 }, () => pickOperation(random))
  for (const operation of OPERATIONS) {
    const share = mixed((one) => Number(one === operation))
    expect(Math.abs(drawn.filter((one) => one === operation).length / 100_000 - share)).toBeLessThan(0.01)
  }
})

test('tables replace what was between their marks, and nothing else', () => {
  const page = 'a\n<!-- x -->\nold\n<!-- end of x -->\nb\n'
  expect(fillPage(page, { x: 'new' })).toBe('a\n<!-- x -->\nnew\n<!-- end of x -->\nb\n')
  expect(() => fillPage(page, { y: 'new' })).toThrow('The page has no marks of y')
})
