// Compares the simulator with queues whose waiting time has a closed formula.
import { describe, expect, test } from 'vitest'
import { createRandom } from '../../server/demo/random.ts'
import { percentile } from '../harness/figures.ts'
import { DELAY, exponential, type Model, simulate } from './queues.ts'

const COUNT = 100_000
const mean = (values: Float64Array) => values.reduce((sum, value) => sum + value, 0) / values.length

const run = (model: Model) => simulate(model, COUNT, createRandom(7))

const withService = (servers: number, rate: number, ms: Model['request']): Model => ({
  stations: [servers],
  rate,
  request: ms,
})
const memoryless = (servers: number, rate: number, ms: number) =>
  withService(servers, rate, (random) => [{ station: 0, ms: exponential(random, ms) }])

/** Allows 8 %: a p99 of a busy queue is still uncertain after this number of requests. */
const expectNear = (actual: number, expected: number) => {
  expect(actual / expected).toBeGreaterThan(0.92)
  expect(actual / expected).toBeLessThan(1.08)
}

describe('one server, exponential service times (M/M/1)', () => {
  test.each([300, 600, 800])('mean and p99 match the formula at %i of 1,000 requests/s', (rate) => {
    const { latenciesMs, busy } = run(memoryless(1, rate, 1))
    const expected = 1 / (1 - rate / 1000)
    expectNear(mean(latenciesMs), expected)
    expectNear(percentile(latenciesMs, 0.99), expected * Math.log(100))
    expectNear(busy[0] ?? 0, rate / 1000)
  })
})

describe('several servers, exponential service times (M/M/c)', () => {
  test.each([
    [2, 1500],
    [8, 6400],
  ])('the mean matches the formula with %i servers and %i requests/s', (servers, rate) => {
    const load = rate / 1000
    const wait = erlangC(servers, load) / (servers - load)
    expectNear(mean(run(memoryless(servers, rate, 1)).latenciesMs), 1 + wait)
  })
})

/** Share of requests that wait, with `servers` of which `load` are busy on average (Erlang C). */
function erlangC(servers: number, load: number): number {
  let [term, sum] = [1, 0]
  for (let n = 0; n < servers; n++) {
    sum += term
    term *= load / (n + 1)
  }
  const last = (term * servers) / (servers - load)
  return last / (sum + last)
}

test('erlangC returns the known values for one and for two servers', () => {
  expect(erlangC(1, 0.6)).toBeCloseTo(0.6, 10)
  expect(erlangC(2, 1)).toBeCloseTo(1 / 3, 10)
})

describe('one server, constant service times (M/D/1)', () => {
  test.each([500, 800])('the mean matches the formula at %i of 1,000 requests/s', (rate) => {
    const share = rate / 1000
    const model = withService(1, rate, () => [{ station: 0, ms: 1 }])
    expectNear(mean(run(model).latenciesMs), 1 + share / (2 * (1 - share)))
  })
})

test('a closed network of two equal stations has the expected throughput', () => {
  const request: Model['request'] = (random) => [
    { station: 0, ms: exponential(random, 1) },
    { station: 1, ms: exponential(random, 1) },
  ]
  // n / (n + 1) of the rate of one station, for n clients.
  expectNear(run({ stations: [1, 1], clients: 4, request }).rate, 800)
})

test('latencies of consecutive stations and of a delay without a server add up', () => {
  const { latenciesMs } = run({
    stations: [1, 1],
    rate: 500,
    request: (random) => [
      { station: 0, ms: exponential(random, 1) },
      { station: DELAY, ms: 3 },
      { station: 1, ms: exponential(random, 1) },
    ],
  })
  expectNear(mean(latenciesMs), 2 + 3 + 2)
})
