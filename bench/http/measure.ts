// Warms up both servers for one case, then measures them alternately, so that other load on the machine affects both.
import sql from 'sql-template-tag'
import type { Db } from '../../server/db/pool.ts'
import type { BenchOptions } from '../harness/bench.ts'
import { compare, type Row } from '../harness/figures.ts'
import type { Lab } from '../harness/lab.ts'
import type { LoadGenerator } from '../harness/load.ts'
import { allowed, atMost, p50, withRatio } from '../harness/rows.ts'
import { processMs, residentMb, serverMs } from '../harness/usage.ts'
import type { StreamName } from './requests.ts'

export interface Case {
  name: string
  stream: StreamName
  /** Minimum share of the limit's requests per second. */
  target?: number
  /** Maximum ratio of the median latency to the limit's. */
  timesMax?: number
  /** Maximum CPU time of Node and PostgreSQL together per request. */
  cpuMsMax?: number
  /** Records written by each request. */
  writes: number
}

export interface Side {
  name: string
  url: string
  pid: number
  postgresPid: number
  db: Db
}

interface Round {
  requestsPerSecond: number
  requests: number
  p50Ms: number
  p99Ms: number
  /** CPU time per request. */
  nodeMs: number
  postgresMs: number
}

interface Measured {
  rounds: Round[]
  mbBefore: number
  mbAfter: number
}

interface Setting {
  generator: LoadGenerator
  sides: { service: Side; limit: Side }
  options: BenchOptions
}

const cpuOf = async ({ pid, postgresPid }: Side) => ({
  node: await processMs(pid),
  postgres: await serverMs(postgresPid),
})

async function measureRound(side: Side, { generator, options }: Setting, { stream }: Case): Promise<Round> {
  const { connections, seconds } = options
  const before = await cpuOf(side)
  const result = await generator.run({ url: side.url, connections, seconds, stream })
  const after = await cpuOf(side)
  return {
    ...result,
    nodeMs: (after.node - before.node) / result.requests,
    postgresMs: (after.postgres - before.postgres) / result.requests,
  }
}

/** Number of creations and changes so far: the sum of all records' versions. */
const countWrites = ({ db }: Side) => db.value<number>(sql`select sum(version)::float8 as count from records`)

/** @throws Error when fewer records were written than the server acknowledged */
async function requireWritten(side: Side, before: number, expected: number): Promise<void> {
  const written = (await countWrites(side)) - before
  if (written < expected)
    throw new Error(`The ${side.name} wrote ${written} records but answered for ${expected}`)
}

const tellRound = ({ requestsPerSecond, p50Ms, p99Ms, nodeMs, postgresMs }: Round) =>
  [
    `${requestsPerSecond.toFixed(0)}/s`,
    `p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms`,
    `CPU ${nodeMs.toFixed(3)} + ${postgresMs.toFixed(3)} ms`,
  ].join(', ')

async function measureSides(
  lab: Lab,
  setting: Setting,
  one: Case,
): Promise<Record<'service' | 'limit', Measured>> {
  const { service, limit } = setting.sides
  const measured = async (side: Side) => ({
    rounds: [] as Round[],
    mbBefore: await residentMb(side.pid),
    mbAfter: 0,
  })
  const results = { service: await measured(service), limit: await measured(limit) }
  const before = { service: await countWrites(service), limit: await countWrites(limit) }
  await measureRound(limit, setting, one)
  await measureRound(service, setting, one)
  for (let number = 1; number <= setting.options.rounds; number++)
    for (const side of [limit, service] as const) {
      const round = await measureRound(side, setting, one)
      const key = side === service ? 'service' : 'limit'
      results[key].rounds.push(round)
      lab.tell(`${one.name}, round ${number}, ${side.name}: ${tellRound(round)}`)
    }
  for (const key of ['service', 'limit'] as const) {
    const answered = results[key].rounds.reduce((sum, { requests }) => sum + requests, 0)
    await requireWritten(setting.sides[key], before[key], answered * one.writes)
    results[key].mbAfter = await residentMb(setting.sides[key].pid)
  }
  return results
}

const THROUGHPUT = 'requests/s'
const bothMs = ({ nodeMs, postgresMs }: Round) => nodeMs + postgresMs

const FIGURES: readonly { unit: string; of: (round: Round) => number }[] = [
  { unit: 'ms, p99', of: ({ p99Ms }) => p99Ms },
  { unit: 'CPU ms of Node per request', of: ({ nodeMs }) => nodeMs },
  { unit: 'CPU ms of PostgreSQL per request', of: ({ postgresMs }) => postgresMs },
  { unit: 'CPU ms of both per request', of: bothMs },
]

/** Rows for throughput and latency, then for CPU time and memory. */
export async function measureCase(lab: Lab, setting: Setting, one: Case): Promise<Row[]> {
  const { name, target, timesMax, cpuMsMax } = one
  const { service, limit } = await measureSides(lab, setting, one)
  const row = (unit: string, of: (round: Round) => number): Row =>
    compare({
      ...{ case: name, unit, ours: service.rounds.map(of), limit: limit.rounds.map(of) },
      ...(target !== undefined && unit === THROUGHPUT && { target }),
    })
  const times = (unit: string, of: (round: Round) => number) => ({
    ...{ case: name, unit, ours: p50(service.rounds.map(of)), limit: p50(limit.rounds.map(of)) },
  })
  const memory = (unit: string, of: (measured: Measured) => number): Row =>
    compare({ case: name, unit, ours: [of(service)], limit: [of(limit)] })
  const latency = times('ms, p50', ({ p50Ms }) => p50Ms)
  const cpuMs = p50(service.rounds.map(bothMs))
  return [
    row(THROUGHPUT, ({ requestsPerSecond }) => requestsPerSecond),
    timesMax === undefined ? withRatio(latency) : atMost(latency, timesMax),
    ...FIGURES.map(({ unit, of }) => row(unit, of)),
    ...(cpuMsMax === undefined
      ? []
      : [allowed(name, 'CPU ms of both per request, allowed', cpuMs, cpuMsMax)]),
    memory('MB of Node before', ({ mbBefore }) => mbBefore),
    memory('MB of Node after', ({ mbAfter }) => mbAfter),
  ]
}
