// Checks that the heap of the service and the rows of its job queue stop growing under a mixed load.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import sql from 'sql-template-tag'
import type { Context } from '../../server/context.ts'
import type { Db } from '../../server/db/pool.ts'
import { createReport } from '../../server/reports/service.ts'
import { type Lab, openLab } from '../harness/lab.ts'
import { attach, startService } from '../harness/service.ts'
import { makeSubscriber, type Subscriber } from '../webhooks/fixture.ts'
import { makeWorkflow } from '../workflows/fixture.ts'
import { type Inspector, inspectorAddress, openInspector } from './inspector.ts'
import { keepBusy } from './traffic.ts'

const HEAP_GROWTH_MAX_MB = 5
const JOBS_GROWTH_MAX = 50
const MINUTE_MS = 60_000

interface Sample {
  heapMb: number
  jobs: number
}

const say = (line: string) => void process.stdout.write(`${line}\n`)

const countJobs = (db: Db): Promise<number> => db.value<number>(sql`select count(*) as jobs from pgboss.job`)

/** The lowest value of the samples, without temporary peaks. */
const floor = (samples: readonly Sample[], pick: (sample: Sample) => number) => Math.min(...samples.map(pick))

/** @returns whether the heap and the job queue stopped growing */
function judge(samples: readonly Sample[]): boolean {
  const quarter = Math.max(1, Math.floor(samples.length / 4))
  const [first, last] = [samples.slice(quarter, 2 * quarter), samples.slice(-quarter)]
  const heap = [floor(first, ({ heapMb }) => heapMb), floor(last, ({ heapMb }) => heapMb)] as const
  const jobs = [floor(first, ({ jobs }) => jobs), floor(last, ({ jobs }) => jobs)] as const
  say(
    `heap after collection: ${heap[0].toFixed(1)} MB in the second quarter, ${heap[1].toFixed(1)} MB in the last`,
  )
  say(`rows of the job queue: ${jobs[0]} in the second quarter, ${jobs[1]} in the last`)
  return heap[1] - heap[0] <= HEAP_GROWTH_MAX_MB && jobs[1] - jobs[0] <= JOBS_GROWTH_MAX
}

/** Answers every webhook. @returns its address */
async function startReceiver(lab: Lab): Promise<string> {
  const server = createServer((request, response) => {
    request.resume().once('end', () => response.end())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  lab.onClose(async () => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function takeSamples({ db }: { db: Db }, inspector: Inspector, minutes: number): Promise<Sample[]> {
  const samples: Sample[] = []
  while (samples.length < minutes) {
    await delay(MINUTE_MS)
    const sample = { heapMb: await inspector.heapMb(), jobs: await countJobs(db) }
    samples.push(sample)
    say(`${String(samples.length).padStart(4)} min  ${sample.heapMb.toFixed(1)} MB  ${sample.jobs} jobs`)
  }
  return samples
}

/** Makes a workflow that each new company starts. */
const startWorkflow = (ctx: Context, subscriber: Subscriber): Promise<string> =>
  makeWorkflow(ctx, subscriber, {
    trigger: 'record/created',
    triggerConfig: { objectId: 'companies' },
    steps: [{ key: 'note', type: 'create_activity', config: { title: 'New: {{trigger.data.name}}' } }],
  })

async function makeReport(ctx: Context, { org, orgId, userId }: Subscriber): Promise<string> {
  const caller = { org, orgId, userId, keyId: null, country: 'US', currency: 'USD' }
  const report = await createReport(ctx, caller, {
    name: 'Companies',
    source: { objectId: 'companies', alias: 'company' },
    groupBy: [{ key: 'name', field: 'company.name' }],
    measures: [{ key: 'count', op: 'count' }],
  })
  return report.id
}

const interrupted = (): Promise<never> =>
  new Promise((_, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.once(signal, () => reject(new Error(`interrupted by ${signal}`)))
  })

/**
 * Prints the heap after a full collection and the rows of the job queue each minute.
 * @param clients number of concurrent clients, each with half a second between its rounds of requests
 * @returns false when the heap grew by more than 5 MB or the rows by more than 50 from the second to the last quarter
 */
export async function soakMemory(minutes: number, clients: number): Promise<boolean> {
  const lab = await openLab(say)
  const [stopping, ended] = [new AbortController(), interrupted()]
  try {
    const starting = startService(lab, {
      flags: ['--inspect-port=127.0.0.1:0'],
      env: { EGRESS_ALLOW_PRIVATE: 'true', RATE_LIMIT_PER_MINUTE: '100000' },
    })
    const service = await Promise.race([starting, ended])
    const inspector = await openInspector(await inspectorAddress(service.child))
    lab.onClose(async () => inspector.close())
    const { ctx, close } = await attach(lab, service)
    lab.onClose(close)
    const subscriber = await makeSubscriber(ctx, await startReceiver(lab), 1)
    await startWorkflow(ctx, subscriber)
    const report = await makeReport(ctx, subscriber)
    say('the service runs')
    const busy = keepBusy({ url: service.url, key: subscriber.key, report, clients }, stopping.signal)
    const samples = await Promise.race([takeSamples(ctx, inspector, minutes), busy.then(() => []), ended])
    stopping.abort()
    say(`${await busy} rounds of requests`)
    return judge(samples)
  } finally {
    stopping.abort()
    await lab.close()
  }
}
