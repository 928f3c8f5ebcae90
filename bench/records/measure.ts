// Measures both sides alternately, as often as the time allows, so that other load on the machine affects both.
import type { Db } from '../../server/db/pool.ts'
import type { BenchOptions } from '../harness/bench.ts'
import { p50 } from '../harness/rows.ts'
import type { Client, ClientRequest } from './client.ts'
import { resetStatements, statementMs } from './statistics.ts'

export interface Side {
  url: string
  /** Pattern of the texts of its statements. */
  statements: string
}

export interface Sides {
  service: Side
  limit: Side
}

export interface Setting {
  client: Client
  db: Db
  sides: Sides
  options: Pick<BenchOptions, 'seconds' | 'rounds'>
}

export type Requests = Record<keyof Sides, readonly ClientRequest[]>

export interface Measured {
  /** Latency of every request. */
  latenciesMs: number[]
  /** Time of PostgreSQL per request, as the mean of each round. */
  sqlMs: number[]
}

const REQUESTS_MAX = 20
const ROUNDS_MIN = 2
const WARM_REQUESTS = 6
const WARM_SECONDS = 0.5

/** Number of rounds, and of requests per round that take `slowestMs` each. Each side has half of the time. */
export function scheduleOf(
  slowestMs: number,
  { seconds, rounds }: Setting['options'],
): { rounds: number; requests: number } {
  const sideMs = (seconds * 1000) / 2
  const affordable = Math.floor(sideMs / Math.max(slowestMs, 0.001))
  const taken = Math.max(Math.min(rounds, affordable), Math.min(ROUNDS_MIN, rounds))
  const requests = Math.floor(affordable / taken)
  return { rounds: taken, requests: Math.min(Math.max(requests, 1), REQUESTS_MAX) }
}

const LONG_SECONDS = 3600

/** Warms up one side. @returns milliseconds of the last request, with everything in memory */
async function warm({ client, sides }: Setting, requests: Requests, key: keyof Sides): Promise<number> {
  const { url } = sides[key]
  const asking = { url, requests: requests[key], clients: 1, times: WARM_REQUESTS, seconds: WARM_SECONDS }
  return (await client.ask(asking)).latenciesMs.at(-1) ?? 0
}

async function round(
  { client, db, sides }: Setting,
  key: keyof Sides,
  requests: readonly ClientRequest[],
): Promise<{ latenciesMs: number[]; sqlMs: number }> {
  const { url, statements } = sides[key]
  await resetStatements(db)
  const asking = { url, requests, clients: 1, times: requests.length, seconds: LONG_SECONDS }
  const { latenciesMs } = await client.ask(asking)
  return { latenciesMs, sqlMs: (await statementMs(db, statements)) / latenciesMs.length }
}

const cycled = <Item>(items: readonly Item[], count: number, start: number): Item[] =>
  Array.from({ length: count }, (_, turn) => items[(start + turn) % items.length]).filter(
    (item) => item !== undefined,
  )

export async function measureBoth(
  setting: Setting,
  requests: Requests,
): Promise<Record<keyof Sides, Measured>> {
  const slowestMs = Math.max(await warm(setting, requests, 'limit'), await warm(setting, requests, 'service'))
  const schedule = scheduleOf(slowestMs, setting.options)
  const measured = { service: { latenciesMs: [], sqlMs: [] }, limit: { latenciesMs: [], sqlMs: [] } }
  const results: Record<keyof Sides, Measured> = measured
  for (let number = 0; number < schedule.rounds; number++)
    for (const key of ['limit', 'service'] as const) {
      const sent = cycled(requests[key], schedule.requests, number * schedule.requests)
      const { latenciesMs, sqlMs } = await round(setting, key, sent)
      results[key].latenciesMs.push(...latenciesMs)
      results[key].sqlMs.push(sqlMs)
    }
  return results
}

const figures = ({ latenciesMs, sqlMs }: Measured) =>
  `${p50(latenciesMs).toFixed(1)} ms, of that SQL ${p50(sqlMs).toFixed(1)}`

export const tellBoth = ({ service, limit }: Record<keyof Sides, Measured>): string =>
  `service ${figures(service)}; limit ${figures(limit)} (${service.latenciesMs.length} requests each)`
