// Tests of the parts of the simulation of many cells, except queues.
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
  test('zipf returns shares that add up to 1 and are inversely proportional to the rank', () => {
    const shares = zipf(1000, 1)
    expect(sum(shares)).toBeCloseTo(1, 10)
    expect((shares[0] ?? 0) / (shares[9] ?? 1)).toBeCloseTo(10, 6)
  })

  test('placeByCount gives all cells the same load when the organizations are equal', () => {
    const loads = placeByCount(zipf(1000, 0), 8)
    expect(sum(loads)).toBeCloseTo(1, 10)
    expect(busiest(loads)).toBeCloseTo(1 / 8, 10)
  })

  test('moveLargest balances the cells, but never splits an organization', () => {
    const shares = zipf(100_000, 0.8)
    expect(busiest(moveLargest(shares, 10, MOVED))).toBeCloseTo(0.1, 3)
    expect(busiest(placeByCount(shares, 10))).toBeGreaterThan(0.105)
    expect(busiest(moveLargest(shares, 100, MOVED))).toBeCloseTo(shares[0] ?? 0, 6)
    expect(sum(moveLargest(zipf(100_000, 0.5), 100, MOVED))).toBeCloseTo(1, 6)
  })
})

test('groups contain every organization and the whole load', () => {
  const found = groups(zipf(100_000, 0.8))
  expect(found.length).toBeLessThan(2000)
  expect(found.reduce((total, { count }) => total + count, 0)).toBe(100_000)
  expect(found.reduce((total, { share, count }) => total + share * count, 0)).toBeCloseTo(1, 10)
})

describe('capacity', () => {
  const shares = zipf(10_000, 0)
  const planOf = (cells: number, store: Plan['store']): Plan => ({ cells, shares, store, isMoved: false })
  const ofCell = (1000 * CORES * BUSY_MAX) / 0.1

  test('the rate of one cell is the CPU time of its cores divided by the cost of a request', () => {
    const { rate, limit } = capacityOf({ ...inputs, renewal: cost(0, 0) }, planOf(1, 'memory'))
    expect(rate).toBeCloseTo(ofCell, 3)
    expect(limit).toBe('a cell')
  })

  test('counting in the cells adds a quarter to the cost of each request', () => {
    const { rate, limit } = capacityOf(inputs, planOf(100, 'database'))
    expect(limit).toBe('a cell')
    expect(rate / ofCell / 100).toBeCloseTo(0.8, 2)
  })

  test('the directory handles the refreshes of each process, and one request per key and day', () => {
    const rate = 1_000_000
    const processes = Math.ceil((rate * 0.25) / (1000 * BUSY_MAX))
    const expected = processes * (2.5 + 10_000 / 86_400) * 0.025
    expect(directoryMs(inputs, planOf(1, 'database'), rate)).toBeCloseTo(expected, 3)
    const { limit, directoryBusy } = capacityOf(inputs, planOf(100_000, 'database'))
    expect(limit).toBe('the directory')
    expect(directoryBusy).toBeCloseTo(BUSY_MAX, 3)
  })

  test('with one process per key, the number of renewals does not depend on the rate', () => {
    const all = 2.5 * 0.002 * 10_000
    expect(renewalMs(inputs, planOf(1, 'affine'), 1_000_000)).toBeCloseTo(all, 3)
    expect(renewalMs(inputs, planOf(1, 'affine'), 8_000_000)).toBeCloseTo(all, 3)
  })

  test('with counts in memory, every process renews the keys that it knows', () => {
    // Within ten seconds nearly every organization sends a request to every process.
    const rate = 1_000_000
    const processes = Math.ceil((rate * 0.2) / (1000 * BUSY_MAX))
    const expected = processes * 2.5 * 0.002 * 10_000 * (1 - Math.exp((-rate / 10_000 / processes) * 10))
    expect(renewalMs(inputs, planOf(1, 'memory'), rate)).toBeCloseTo(expected, 3)
  })
})

test('the shares of the mix add up to 1, and pickOperation follows them', () => {
  expect(mixed(() => 1)).toBeCloseTo(1, 10)
  const random = createRandom(5)
  const drawn = Array.from({ length: 100_000 }, () => pickOperation(random))
  for (const operation of OPERATIONS) {
    const share = mixed((one) => Number(one === operation))
    expect(Math.abs(drawn.filter((one) => one === operation).length / 100_000 - share)).toBeLessThan(0.01)
  }
})

test('fillPage replaces only the text between the marks of a table', () => {
  const page = 'a\n<!-- x -->\nold\n<!-- end of x -->\nb\n'
  expect(fillPage(page, { x: 'new' })).toBe('a\n<!-- x -->\nnew\n<!-- end of x -->\nb\n')
  expect(() => fillPage(page, { y: 'new' })).toThrow('The page has no marks of y')
})
