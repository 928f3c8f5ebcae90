// How much open sessions slow requests: the same reads and edits, alternately with and without open streams.
import { compare, percentile, type Row } from '../harness/figures.ts'
import { type LoadGenerator, startLoadGenerator } from '../harness/load.ts'
import { allowed } from '../harness/rows.ts'
import { processMs, serverMs } from '../harness/usage.ts'
import { DELAY_MS_MAX, sorted } from './delays.ts'
import type { Measured } from './measured.ts'
import { READS, type Read } from './requests.ts'
import type { Audience } from './sessions.ts'

const TARGET = 0.9
const CONNECTIONS = 8
const ROUND_SECONDS = 2
/** Other load on the machine varies, so the median of many short rounds is reported. */
const PAIRS_PER_ROUND = 2
const EDITS_PER_SECOND = 5

const SIDES = ['without', 'with'] as const
type Side = (typeof SIDES)[number]

interface Round {
  requestsPerSecond: number
  cpuMs: number
}

interface Course extends Measured {
  audiences: Audience[]
  generator: LoadGenerator
  rounds: Record<Read, Record<Side, Round[]>>
  delaysMs: number[]
}

async function measureRound({ service, generator }: Course, read: Read): Promise<Round> {
  const { url, pid, postgresPid } = service
  const cpu = async () => (await processMs(pid)) + (await serverMs(postgresPid))
  const before = await cpu()
  const load = { url, connections: CONNECTIONS, seconds: ROUND_SECONDS, stream: read }
  const { requests, requestsPerSecond } = await generator.run(load)
  return { requestsPerSecond, cpuMs: ((await cpu()) - before) / requests }
}

/** Measures every read once, with or without streams. With streams, every session must receive every edit. */
async function runSide(course: Course, side: Side): Promise<void> {
  const { lab, sessions, audiences, rounds, delaysMs } = course
  if (side === 'with') await sessions.follow(audiences)
  await sessions.edit(audiences, EDITS_PER_SECOND)
  for (const read of READS) {
    const round = await measureRound(course, read)
    rounds[read][side].push(round)
    lab.tell(`${read} ${side}: ${round.requestsPerSecond.toFixed(0)}/s, ${round.cpuMs.toFixed(3)} CPU ms`)
  }
  for (const ms of (await sessions.stop()).delaysMs) delaysMs.push(ms)
  if (side === 'with') await sessions.leave()
}

function rowsOf({ rounds, delaysMs }: Course): Row[] {
  const rows = READS.flatMap((read) => {
    const both = (of: (round: Round) => number) => ({
      ours: rounds[read].with.map(of),
      limit: rounds[read].without.map(of),
    })
    const name = `${read} with 1,000 sessions`
    return [
      compare({
        case: name,
        unit: 'requests/s',
        ...both((one) => one.requestsPerSecond),
        target: TARGET,
      }),
      compare({ case: name, unit: 'CPU ms of both per request', ...both((one) => one.cpuMs) }),
    ]
  })
  const p99 = percentile(sorted(delaysMs), 0.99)
  return [...rows, allowed('an edit reaches 1,000 sessions during these reads, p99', 'ms', p99, DELAY_MS_MAX)]
}

export async function measureReads(measured: Measured, audiences: Audience[]): Promise<Row[]> {
  const module = new URL('./requests.ts', import.meta.url)
  const params = { audiences: audiences.map(({ key, personIds }) => ({ key, personIds })) }
  const generator = await startLoadGenerator(measured.lab, { module, params })
  const rounds = Object.fromEntries(
    READS.map((read) => [read, { with: [], without: [] }]),
  ) as unknown as Course['rounds']
  const course: Course = { ...measured, audiences, generator, rounds, delaysMs: [] }
  for (const side of SIDES) await runSide(course, side)
  for (const read of READS) rounds[read] = { with: [], without: [] }
  for (let pair = 0; pair < measured.options.rounds * PAIRS_PER_ROUND; pair++)
    // Alternates which side is first.
    for (const side of pair % 2 === 0 ? SIDES : SIDES.toReversed()) await runSide(course, side)
  return rowsOf(course)
}
