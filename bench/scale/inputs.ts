// The inputs of the simulation: CPU times, which `npm run bench -- scale --only measure` writes to inputs.json.
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Random } from '../../server/demo/random.ts'

export const INPUTS = fileURLToPath(new URL('./inputs.json', import.meta.url))

export const OPERATIONS = ['get', 'list', 'create', 'patch', 'bulk'] as const
export type Operation = (typeof OPERATIONS)[number]

/** CPU ms of one request, or of one statement, for which `nodeMs` is the CPU time of its sender. */
export interface Cost {
  nodeMs: number
  postgresMs: number
}

/** One kind of request over 64 connections. Each connection sends its next request after the answer. */
export interface Point {
  /** Requests per second. */
  rate: number
  p50Ms: number
  p99Ms: number
}

export interface Inputs {
  /** ISO date. */
  day: string
  machine: string
  /** From docs/benchmarks.md, like `points`: one process of Node, PostgreSQL and clients on the same machine. */
  operations: Record<Operation, Cost>
  points: Record<Operation, Point>
  /** One request checked and counted in a cell, with RATE_LIMIT_STORE=database. */
  admission: Cost
  /** One key renewed in a cell, with RATE_LIMIT_STORE=memory. */
  renewal: Cost
  /** CPU ms of the client per request: the time of two cores that Node and PostgreSQL do not use during GETs. */
  clientMs: number
}

/** Shares of requests: what an integration sends on an ordinary day; bulk requests have 100 records. */
const MIX: Readonly<Record<Operation, number>> = {
  ...{ get: 0.6, list: 0.2, create: 0.08, patch: 0.11, bulk: 0.01 },
}

export const readInputs = async (): Promise<Inputs> => JSON.parse(await readFile(INPUTS, 'utf8')) as Inputs

/** The mean of `of` over the mix of requests. */
export function mixed(of: (operation: Operation) => number): number {
  return OPERATIONS.reduce((sum, operation) => sum + MIX[operation] * of(operation), 0)
}

/** Picks an operation at random, as often as its share of the mix. */
export function pickOperation(random: Random): Operation {
  let left = random.next()
  for (const operation of OPERATIONS) {
    left -= MIX[operation]
    if (left < 0) return operation
  }
  return 'get'
}
