// Writes records over the API and receives their webhooks: one process sees both, so it knows how many events are
// written and not received yet.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { Pool } from 'undici'
import { idTime } from '../../server/base/id.ts'
import { percentile } from '../harness/figures.ts'
import { answerMessages } from '../harness/partner.ts'
import { createBystander, type Percentiles } from './bystander.ts'
import { SAMPLE } from './fixture.ts'
import { createReceipts, type Receipts } from './receipts.ts'

export interface Traffic {
  /** URL of the service. */
  url: string
  key: string
  /** Number of endpoints that get each event. */
  endpoints: number
  /** API key of another organization, which sends a few requests and gets their events; absent: there is none. */
  bystanderKey?: string
  seconds: number
  /** A fixed rate in events per second; or the maximum number of written events that are not fully delivered. */
  load: { perSecond: number } | { queueMax: number }
}

export interface Measured {
  /** Events per second that all endpoints received while records were written. */
  perSecond: number
  written: number
  /** Requests that were answered with 429 or 503. */
  refused: number
  events: Percentiles
  bystanderEvents: Percentiles
  bystanderRequests: Percentiles
  /** Deliveries that were not received when the last event was written. */
  queue: number
  /** Time from the last write until all deliveries were received. */
  drainMs: number
  /** The most that an event was older than an event received before it. */
  disorderMs: number
}

const PER_REQUEST = 10
/** Maximum of concurrent requests with `queueMax`. With `perSecond` there is no maximum. */
const CONCURRENT_REQUESTS = 8
const CONNECTIONS = 64
const LOOK_MS = 2
const REFUSED = new Set([429, 503])

const receipts = { main: createReceipts(), bystander: createReceipts() }

const server = createServer((request, response) => {
  const id = request.headers['webhook-id']
  const into = request.url?.startsWith('/bystander') ? receipts.bystander : receipts.main
  into.add(typeof id === 'string' ? idTime(id) : Date.now())
  request.resume()
  response.writeHead(200).end()
})

async function open(): Promise<{ url: string }> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

interface Writer {
  /** Sends one request. */
  send(): void
  readonly inFlight: number
  readonly written: number
  readonly refused: number
  /** Resolves when every request was answered. @throws Error when a request failed */
  end(): Promise<void>
}

function createWriter({ url, key }: Traffic): Writer {
  const pool = new Pool(url, { connections: CONNECTIONS })
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const { domain: _, ...data } = SAMPLE
  const body = JSON.stringify({ mode: 'create', records: Array<object>(PER_REQUEST).fill({ data }) })
  const open = new Set<Promise<void>>()
  const counts = { written: 0, refused: 0 }
  const request = async () => {
    const answer = await pool.request({
      method: 'POST',
      path: '/api/v1/objects/companies/records/bulk',
      headers,
      body,
    })
    await answer.body.dump()
    if (answer.statusCode === 200) counts.written += PER_REQUEST
    else if (REFUSED.has(answer.statusCode)) counts.refused++
    else throw new Error(`A bulk request was answered with ${answer.statusCode}`)
  }
  return {
    send() {
      // A failed request stays in the set, so that `end` rejects with its error.
      const sending = request().then(() => void open.delete(sending))
      sending.catch(() => undefined)
      open.add(sending)
    },
    get inFlight() {
      return open.size
    },
    get written() {
      return counts.written
    },
    get refused() {
      return counts.refused
    },
    async end() {
      await Promise.all(open)
      await pool.close()
    },
  }
}

/** Sends evenly spaced requests, however long the answers take. */
async function writeAtRate(writer: Writer, perSecond: number, seconds: number): Promise<void> {
  const beganAt = performance.now()
  for (let n = 0; n < (perSecond * seconds) / PER_REQUEST; n++) {
    const dueMs = ((n * PER_REQUEST) / perSecond) * 1000 - (performance.now() - beganAt)
    if (dueMs > 1) await delay(dueMs)
    writer.send()
  }
}

/** Sends as many requests as the queue has room for. */
async function writeBehind(writer: Writer, queueMax: number, { endpoints, seconds }: Traffic): Promise<void> {
  const endsAt = performance.now() + seconds * 1000
  const { main } = receipts
  const hasRoom = () =>
    writer.inFlight < CONCURRENT_REQUESTS &&
    writer.written + (writer.inFlight + 1) * PER_REQUEST - main.count / endpoints <= queueMax
  while (performance.now() < endsAt) {
    while (hasRoom()) writer.send()
    await delay(LOOK_MS)
  }
}

const STUCK_MS = 60_000

/** @throws Error when no event arrives for a minute */
async function drained(into: Receipts, count: number): Promise<void> {
  while (into.count < count) {
    if (performance.now() - into.lastAt > STUCK_MS)
      throw new Error(`${count - into.count} of ${count} events were not received`)
    await delay(LOOK_MS)
  }
}

const percentiles = (values: readonly number[]): Percentiles => {
  const sorted = Float64Array.from(values.length > 0 ? values : [0]).sort()
  return { p50Ms: percentile(sorted, 0.5), p99Ms: percentile(sorted, 0.99) }
}

async function run(traffic: Traffic): Promise<Measured> {
  const { main, bystander: others } = receipts
  main.clear()
  others.clear()
  const writer = createWriter(traffic)
  const bystander = createBystander(traffic)
  const beganAt = performance.now()
  const { load, seconds, endpoints } = traffic
  if ('perSecond' in load) await writeAtRate(writer, load.perSecond, seconds)
  else await writeBehind(writer, load.queueMax, traffic)
  const elapsedMs = performance.now() - beganAt
  const perSecond = (main.count * 1000) / endpoints / elapsedMs
  await writer.end()
  const [deliveries, endedAt] = [writer.written * endpoints, performance.now()]
  const queue = deliveries - main.count
  await drained(main, deliveries)
  const drainMs = performance.now() - endedAt
  const requests = await bystander.end()
  await drained(others, bystander.written)
  return {
    ...{ perSecond, written: writer.written, refused: writer.refused, queue, drainMs },
    events: percentiles(main.delaysMs),
    bystanderEvents: percentiles(others.delaysMs),
    bystanderRequests: percentiles(requests),
    disorderMs: main.disorderMs,
  }
}

interface Question {
  open?: true
  run?: Traffic
}

answerMessages<Question>(async ({ open: isOpening, run: traffic }) =>
  isOpening ? open() : traffic ? run(traffic) : {},
)
