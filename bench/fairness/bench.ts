// bench fairness: how much one organization can slow another with the heaviest possible load.
import { fileURLToPath } from 'node:url'
import sql from 'sql-template-tag'
import { type Bench, type BenchOptions, chosen } from '../harness/bench.ts'
import { ask, startPartner } from '../harness/child.ts'
import { percentile, type Row, rounded } from '../harness/figures.ts'
import type { Lab } from '../harness/lab.ts'
import { attach, type Service, startService } from '../harness/service.ts'
import { ATTACK_CASES, runAttacks } from './attacks.ts'
import { makeParty, type Party } from './fixture.ts'
import { KINDS, type Kind, type Usual, workAsUsual } from './usual.ts'

const WORST = fileURLToPath(new URL('./worst-process.ts', import.meta.url))

/** Maximum of p50 and p99 under the load of the other organization, as a multiple of the values without it. */
const TIMES_MAX = 3
const LAG_MS_MAX = 50
/** Enough for the load to reach its full rate, and to use up what the limits allow in a short burst. */
const WARM_UP_SECONDS = 10
const QUICK_WARM_UP_SECONDS = 5
/** One request of each kind is sent per second: in a shorter time, p99 would be the single slowest request. */
const SECONDS_MIN = 150
const QUICK_SECONDS = 20
const LARGE_TEXT = 200_000

const NOTE = { key: 'note', type: 'create_activity', config: { title: 'Run {{run.id}}' } } as const
const long = (n: number) => `long${n}`
/** Each step computes nearly the allowed maximum of 8 MiB of text. */
const HEAVY = Array.from({ length: 20 }, (_, n) => ({
  key: long(n),
  type: 'set_variables' as const,
  config: {
    variables: {
      [long(n)]:
        n === 0 ? 'Long text '.repeat(10_000) : `{{vars.long0 | upper | lower | length}} `.repeat(25),
    },
  },
}))

interface Ready {
  service: Service
  busy: Party
  calm: Party
  record: string
}

async function prepare(lab: Lab): Promise<Ready> {
  const service = await startService(lab)
  const { ctx, close } = await attach(lab, service)
  lab.onClose(close)
  const large = { jobTitle: 'x'.repeat(LARGE_TEXT), people: 300, steps: HEAVY }
  const busy = await makeParty(ctx, 'busy', large)
  const calm = await makeParty(ctx, 'calm', { jobTitle: 'Title ', people: 1000, steps: [NOTE] })
  const { id } = await ctx.db.one<{ id: string }>(sql`
    select r.id from records r join organizations o using (org) where o.slug = 'calm' limit 1`)
  return { service, busy, calm, record: id }
}

/** p99 of the event-loop lag since the last read: prom-client resets it with each answer. */
async function lagMs({ url }: Service): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  return Number(/^nodejs_eventloop_lag_p99_seconds (\S+)$/m.exec(text)?.[1]) * 1000
}

const sorted = (times: readonly number[]) => Float64Array.from(times).sort()

function rowOf(kind: Kind, p: number, baseline: Usual, loaded: Usual): Row {
  const [limit, figure] = [baseline, loaded].map(({ times }) => percentile(sorted(times[kind]), p)) as [
    number,
    number,
  ]
  const ratio = Math.round((figure / limit) * 100) / 100
  return {
    ...{ case: `${kind} under the worst load, p${p * 100}`, figure: rounded(figure), unit: 'ms' },
    ...{ limit: rounded(limit), ratio, target: TIMES_MAX, met: ratio <= TIMES_MAX },
  }
}

const rowsOf = (baseline: Usual, loaded: Usual): Row[] =>
  KINDS.flatMap((kind) => [0.5, 0.99].map((p) => rowOf(kind, p, baseline, loaded)))

const refusals = ({ refused }: Usual) => Object.values(refused).reduce((sum, count) => sum + count, 0)

const reported = (name: string, figure: number, unit: string, limit: number): Row => ({
  ...{ case: name, figure: rounded(figure), unit, limit, ratio: null, target: null },
  met: figure <= limit,
})

async function runWorst(lab: Lab, { seconds, rounds, isQuick }: BenchOptions): Promise<Row[]> {
  const { service, busy, calm, record } = await prepare(lab)
  // If the service ends, its own error is reported: its clients only see connection errors.
  const work = (count: number) =>
    Promise.race([workAsUsual(service.url, calm, { seconds: count, record }), service.child.failed])
  const warmUp = isQuick ? QUICK_WARM_UP_SECONDS : WARM_UP_SECONDS
  await work(warmUp)
  lab.tell('Without load …')
  const duration = Math.max(isQuick ? QUICK_SECONDS : SECONDS_MIN, seconds * rounds)
  const baseline = await work(duration)
  const worst = startPartner(lab, { name: 'The worst', file: WORST })
  await ask(worst, { begin: { url: service.url, party: busy } })
  await work(warmUp)
  await lagMs(service)
  lab.tell('Under the worst load …')
  const loaded = await work(duration)
  const lag = await lagMs(service)
  const { answers } = await ask<{ answers: Record<string, number> }>(worst, { end: true })
  lab.tell(
    `The worst was answered ${JSON.stringify(answers)}; refused of the other: ${JSON.stringify(loaded.refused)}`,
  )
  const defects = Object.entries(answers).filter(([status]) => status.startsWith('5') && status !== '503')
  return [
    ...rowsOf(baseline, loaded),
    reported('refused of the other', refusals(loaded), 'answers', 0),
    reported(
      'defects (5xx without 503)',
      defects.reduce((sum, [, count]) => sum + count, 0),
      'answers',
      0,
    ),
    reported('event loop lag, p99', lag, 'ms', LAG_MS_MAX),
  ]
}

const WORST_CASE = { name: 'under the worst load' }

async function run(lab: Lab, options: BenchOptions): Promise<Row[]> {
  const { isQuick, only } = options
  // A quick run of all benches has no time for attacks.
  const left = isQuick && only.length === 0 ? [WORST_CASE] : chosen([WORST_CASE, ...ATTACK_CASES], only)
  const rows = left.includes(WORST_CASE) ? await runWorst(lab, options) : []
  const attacks = ATTACK_CASES.filter((one) => left.includes(one))
  return attacks.length === 0 ? rows : [...rows, ...(await runAttacks(lab, attacks, options))]
}

export const fairnessBench: Bench = {
  name: 'fairness',
  summary: 'what one organization feels of another that does its worst',
  run,
}
