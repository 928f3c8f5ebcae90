// Warms up every system for one case, then measures them in turn, so that other load on the machine affects all.
import type { BenchOptions } from '../harness/bench.ts'
import { compare, median, type Row } from '../harness/figures.ts'
import type { Lab } from '../harness/lab.ts'
import type { LoadGenerator } from '../harness/load.ts'
import { processMs, serverMs } from '../harness/usage.ts'
import { DIALECTS } from './dialects.ts'
import type { Party } from './party.ts'
import { BULK_SIZE, type CaseStream, streamName } from './requests.ts'

export interface Case {
  name: string
  stream: CaseStream
  /** Minimum of the service's requests per second, as a multiple of the best peer's. */
  target: number
}

export const WRITES: Record<CaseStream, number> = { get: 0, list: 0, counted: 0, create: 1, bulk: BULK_SIZE }

/** More connections would only queue: a peer answers about a hundred requests per second. */
const CONNECTIONS_MAX = 16

interface Round {
  requests: number
  requestsPerSecond: number
  /** CPU time of Node and PostgreSQL together per request. */
  cpuMs: number
}

export interface Setting {
  generator: LoadGenerator
  postgresPid: number
  options: BenchOptions
}

const cpuOf = async (pid: number, postgresPid: number) =>
  (await processMs(pid)) + (await serverMs(postgresPid))

async function round(party: Party, { stream }: Case, setting: Setting): Promise<Round> {
  const { generator, postgresPid, options } = setting
  const { seconds, connections } = options
  const before = await cpuOf(party.pid, postgresPid)
  const { requests, requestsPerSecond } = await generator.run({
    ...{ url: party.address.url, connections: Math.min(connections, CONNECTIONS_MAX), seconds },
    stream: streamName(party, stream),
  })
  const cpuMs = ((await cpuOf(party.pid, postgresPid)) - before) / requests
  return { requests, requestsPerSecond, cpuMs }
}

interface Measured {
  party: Party
  rounds: Round[]
  failure?: string
}

/** Measures a round of a system. A system that fails is left out of the following rounds. */
async function attempt(
  lab: Lab,
  measured: Measured,
  one: Case,
  setting: Setting,
): Promise<Round | undefined> {
  if (measured.failure !== undefined) return undefined
  const { title } = measured.party
  try {
    const taken = await round(measured.party, one, setting)
    lab.tell(
      `${one.name}, ${title}: ${taken.requestsPerSecond.toFixed(1)}/s, CPU ${taken.cpuMs.toFixed(2)} ms`,
    )
    return taken
  } catch (error) {
    measured.failure = error instanceof Error ? error.message : String(error)
    lab.tell(`${one.name}, ${title}: ${measured.failure}`)
    return undefined
  }
}

async function requireWritten(
  { party, rounds, failure }: Measured,
  before: number,
  each: number,
): Promise<void> {
  const written = (await party.countRows()) - before
  const answered = rounds.reduce((sum, { requests }) => sum + requests, 0) * each
  if (failure === undefined && written < answered)
    throw new Error(`${party.title} wrote ${written} records but answered for ${answered}`)
}

async function measure(
  lab: Lab,
  parties: readonly Party[],
  one: Case,
  setting: Setting,
): Promise<Measured[]> {
  const measured = parties.map((party): Measured => ({ party, rounds: [] }))
  const before = await Promise.all(parties.map((party) => party.countRows()))
  for (const each of measured) await attempt(lab, each, one, setting)
  for (let number = 0; number < setting.options.rounds; number++)
    for (const each of measured) {
      const taken = await attempt(lab, each, one, setting)
      if (taken) each.rounds.push(taken)
    }
  for (const [place, each] of measured.entries())
    await requireWritten(each, before[place] ?? 0, WRITES[one.stream])
  return measured
}

const perSecond = ({ rounds }: Measured) => rounds.map(({ requestsPerSecond }) => requestsPerSecond)

/** A row without figures for a measurement that failed. It counts as a missed target. */
export const missing = (name: string, reason: string): Row => ({
  ...{ case: `${name}: ${reason.split('\n')[0]}`, figure: 0, unit: 'not measured' },
  ...{ limit: null, ratio: null, target: null, met: false },
})

function rowsComparing(name: string, ours: Measured, peer: Measured): Row[] {
  const compared = `${name}, compared with ${peer.party.title}`
  if (peer.failure !== undefined) return [missing(compared, peer.failure)]
  const cpu = ({ rounds }: Measured) => rounds.map(({ cpuMs }) => cpuMs)
  return [
    compare({ case: compared, unit: 'requests/s', ours: perSecond(ours), limit: perSecond(peer) }),
    compare({ case: compared, unit: 'CPU ms of both per request', ours: cpu(ours), limit: cpu(peer) }),
  ]
}

/** Compares the service with the best peer first, then with each peer. */
export async function measureCase(
  lab: Lab,
  [ours, ...peers]: readonly [Party, ...Party[]],
  one: Case,
  setting: Setting,
): Promise<Row[]> {
  const able = peers.filter(({ address }) => one.stream !== 'bulk' || DIALECTS[address.system].bulk)
  const [own, ...others] = await measure(lab, [ours, ...able], one, setting)
  if (own === undefined || own.failure !== undefined)
    throw new Error(`${one.name}: ${own?.failure ?? 'the service was not measured'}`)
  const rows = others.flatMap((peer) => rowsComparing(one.name, own, peer))
  const best = others
    .filter(({ failure }) => failure === undefined)
    .sort((a, b) => median(perSecond(b)) - median(perSecond(a)))[0]
  if (best === undefined) return rows
  const head = compare({
    ...{
      case: `${one.name}, compared with the best (${best.party.title})`,
      unit: 'requests/s',
      target: one.target,
    },
    ...{ ours: perSecond(own), limit: perSecond(best) },
  })
  return [head, ...rows]
}
