// Delays of events at rates from 10 % to 130 % of the highest rate at which events are both written over the API and
// delivered, and how much this load slows other organizations.
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type BenchOptions, profileFlags } from '../harness/bench.ts'
import { ask, type Child, startPartner } from '../harness/child.ts'
import { median, type Row, rounded } from '../harness/figures.ts'
import type { Lab } from '../harness/lab.ts'
import { attach, type Service, startService } from '../harness/service.ts'
import { makeSubscriber } from './fixture.ts'
import type { Measured, Traffic } from './traffic-process.ts'

const TRAFFIC = fileURLToPath(new URL('./traffic-process.ts', import.meta.url))

/** Maximum number of undelivered events during the search for the highest rate. */
const QUEUE_MAX = 1000
const CAPACITY_ROUNDS = 3
/** Percentages of the highest rate, each with the maximum p99 in milliseconds; null: no maximum. */
const LEVELS = [
  { percent: 10, p99Ms: 100 },
  { percent: 25, p99Ms: 100 },
  { percent: 50, p99Ms: 100 },
  { percent: 75, p99Ms: 300 },
  { percent: 90, p99Ms: null },
] as const
const LAG_MS_MAX = 20
const BEYOND_PERCENT = 130
/** Endpoints that get each event, so that the deliveries are the bottleneck and not the requests that write. */
const FAN_OUT = 10
/** Maximum p99 of others above capacity, divided by that at 90 %: a p99 of a few hundred requests varies this much. */
const FLAT_TIMES_MAX = 1.5
/** Wait after the queue is drained, until the worker has written its last results. */
const SETTLE_MS = 500

/** Time for a new service to compile its code and fill its caches. */
const WARM_UP_SECONDS = 5

interface Lap extends Measured {
  /** p99 of the event-loop lag of the service. */
  lagMs: number
}

interface Stage {
  close(): Promise<void>
  lap(load: Traffic['load'], seconds: number): Promise<Lap>
}

/** Interval of the timer that measures the lag. The reported lag includes it. */
const LAG_TIMER_MS = 10

/** p99 of the lag since the last read: prom-client resets it with each answer. */
async function readLagMs({ url }: Service): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  return Number(/^nodejs_eventloop_lag_p99_seconds (\S+)$/m.exec(text)?.[1]) * 1000 - LAG_TIMER_MS
}

async function measureLap(service: Service, child: Child, traffic: Traffic): Promise<Lap> {
  await readLagMs(service)
  const measured = await ask<Measured>(child, { run: traffic })
  const lagMs = await readLagMs(service)
  await delay(SETTLE_MS)
  return { ...measured, lagMs }
}

async function openStage(lab: Lab, options: BenchOptions, endpoints: number): Promise<Stage> {
  const env = { EGRESS_ALLOW_PRIVATE: 'true' }
  const service = await startService(lab, { flags: profileFlags(options, 'service'), env })
  const { ctx, close } = await attach(lab, service)
  const child = startPartner(lab, {
    name: 'The traffic',
    file: TRAFFIC,
    flags: profileFlags(options, 'traffic'),
  })
  const { url } = await ask<{ url: string }>(child, { open: true })
  const { key } = await makeSubscriber(ctx, url, endpoints)
  const { key: bystanderKey } = await makeSubscriber(ctx, `${url}/bystander`, 1)
  const common = { url: service.url, key, endpoints, bystanderKey }
  const lap: Stage['lap'] = (load, seconds) => measureLap(service, child, { ...common, load, seconds })
  await lap({ queueMax: QUEUE_MAX }, WARM_UP_SECONDS)
  return {
    lap,
    async close() {
      await child.stop()
      await close()
      await service.child.stop()
    },
  }
}

/** The highest rate at which events are written and delivered while at most `QUEUE_MAX` wait. */
async function findCapacity(lab: Lab, { lap }: Stage, seconds: number): Promise<number> {
  const rates: number[] = []
  for (let n = 0; n < CAPACITY_ROUNDS; n++) {
    const { perSecond } = await lap({ queueMax: QUEUE_MAX }, seconds)
    lab.tell(`  ${Math.round(perSecond)} events/s written and delivered`)
    rates.push(perSecond)
  }
  return median(rates)
}

const describe = (percent: number, { events, perSecond, queue, drainMs, disorderMs, lagMs, ...lap }: Lap) =>
  `  ${percent} %: ${Math.round(perSecond)}/s, p50 ${rounded(events.p50Ms)}, p99 ${rounded(events.p99Ms)} ms; ` +
  `queue ${queue}, drained in ${Math.round(drainMs)} ms, out of order by ${disorderMs} ms, refused ${lap.refused}; ` +
  `lag ${rounded(lagMs)} ms; others: events p99 ${rounded(lap.bystanderEvents.p99Ms)}, ` +
  `requests p50 ${rounded(lap.bystanderRequests.p50Ms)}, p99 ${rounded(lap.bystanderRequests.p99Ms)} ms`

const rowOf = (
  name: string,
  figure: number,
  { limit, unit = 'ms' }: { limit: number | null; unit?: string },
): Row => ({
  case: name,
  figure: rounded(figure),
  unit,
  limit: limit === null ? null : rounded(limit),
  ratio: limit === null ? null : Math.round((figure / limit) * 100) / 100,
  target: null,
  met: limit === null ? null : figure <= limit,
})

async function lapAt(
  lab: Lab,
  { lap }: Stage,
  { capacity, percent, seconds }: { capacity: number; percent: number; seconds: number },
) {
  const measured = await lap({ perSecond: (capacity * percent) / 100 }, seconds)
  lab.tell(describe(percent, measured))
  return measured
}

/** Measures the delays at 10 to 90 % of the highest rate. */
export async function measureCurve(lab: Lab, options: BenchOptions): Promise<Row[]> {
  const stage = await openStage(lab, options, 1)
  try {
    const seconds = options.seconds * 2
    const capacity = await findCapacity(lab, stage, options.seconds)
    const rows = [rowOf('events written and delivered', capacity, { limit: null, unit: '/s' })]
    for (const { percent, p99Ms } of LEVELS) {
      const { events, lagMs } = await lapAt(lab, stage, { capacity, percent, seconds })
      rows.push(rowOf(`event to receipt at ${percent} %, p50`, events.p50Ms, { limit: null }))
      rows.push(rowOf(`event to receipt at ${percent} %, p99`, events.p99Ms, { limit: p99Ms }))
      rows.push(rowOf(`event-loop lag at ${percent} %, p99`, lagMs, { limit: LAG_MS_MAX }))
    }
    return rows
  } finally {
    await stage.close()
  }
}

/** Writes more events than can be delivered. Measures how this slows others, and how long the queue takes to drain. */
export async function measureOverload(lab: Lab, options: BenchOptions): Promise<Row[]> {
  const stage = await openStage(lab, options, FAN_OUT)
  try {
    const seconds = options.seconds * 2
    const capacity = await findCapacity(lab, stage, options.seconds)
    const at = (percent: number) => lapAt(lab, stage, { capacity, percent, seconds })
    const [below, above] = [await at(LEVELS[4].percent), await at(BEYOND_PERCENT)]
    const name = `at ${BEYOND_PERCENT} % of the highest rate`
    const flat = (figure: number) => ({ limit: figure * FLAT_TIMES_MAX })
    return [
      rowOf(
        `events to another endpoint ${name}, p99`,
        above.bystanderEvents.p99Ms,
        flat(below.bystanderEvents.p99Ms),
      ),
      rowOf(
        `requests of others ${name}, p99`,
        above.bystanderRequests.p99Ms,
        flat(below.bystanderRequests.p99Ms),
      ),
      rowOf(`event-loop lag ${name}, p99`, above.lagMs, { limit: LAG_MS_MAX }),
      rowOf(`queue ${name}, drained after`, above.drainMs, { limit: null }),
      rowOf(`queue ${name}, out of order by`, above.disorderMs, { limit: null }),
    ]
  } finally {
    await stage.close()
  }
}
