// Latency of requests, simulated with API processes and the busiest cell as queues.
import { createRandom, type Random } from '../../server/demo/random.ts'
import { percentile } from '../harness/figures.ts'
import { CORES, type Store } from './capacity.ts'
import { type Inputs, type Operation, type Point, pickOperation } from './inputs.ts'
import { exponential, type Model, simulate, type Visit } from './queues.ts'

const COUNT = 200_000
/** Connections of the benches. */
const CONNECTIONS = 64

export interface Latency {
  p50Ms: number
  p99Ms: number
}

/** Half of Node's time comes before the statement, half after it. @param node the station of the process */
function visitsOf(
  { operations }: Inputs,
  operation: Operation,
  random: Random,
  [node, postgres]: readonly [number, number],
): Visit[] {
  const { nodeMs, postgresMs } = operations[operation]
  const half = () => ({ station: node, ms: exponential(random, nodeMs / 2) })
  return [half(), { station: postgres, ms: exponential(random, postgresMs) }, half()]
}

const quantiles = (model: Model, seed: number) => {
  const { latenciesMs, rate } = simulate(model, COUNT, createRandom(seed))
  return { p50Ms: percentile(latenciesMs, 0.5), p99Ms: percentile(latenciesMs, 0.99), rate }
}

/** Simulates `npm run bench -- http`: one process; PostgreSQL and the clients on the other core; 64 connections. */
export function ofMeasuredMachine(inputs: Inputs, operation: Operation): Point {
  const client = (random: Random) => ({ station: 1, ms: exponential(random, inputs.clientMs / 2) })
  const request = (random: Random) => [
    client(random),
    ...visitsOf(inputs, operation, random, [0, 1]),
    client(random),
  ]
  return quantiles({ stations: [1, 1], clients: CONNECTIONS, request }, 1)
}

export interface Busy {
  /** Requests per second of one API process, and of the busiest cell. */
  perProcess: number
  perCell: number
  store: Store
}

/** Latency of requests to the busiest cell. They pass one process and the cell, which are busy with all requests. */
export function ofBusiestCell(inputs: Inputs, { perProcess, perCell, store }: Busy): Latency {
  // Processes serve all cells. This number of processes is equally busy with the requests of this cell only.
  const processes = Math.max(1, Math.round(perCell / perProcess))
  const request = (random: Random): Visit[] => {
    const stations = [random.integer(0, processes - 1), processes] as const
    const visits = visitsOf(inputs, pickOperation(random), random, stations)
    const count = { station: processes, ms: exponential(random, inputs.admission.postgresMs) }
    return store === 'database' ? [count, ...visits] : visits
  }
  const stations = [...Array.from({ length: processes }, () => 1), CORES]
  return quantiles({ stations, rate: perCell, request }, 2)
}
