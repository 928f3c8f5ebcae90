// Deliveries per second, compared with a process that only sends POST requests.
import { fileURLToPath } from 'node:url'
import sql from 'sql-template-tag'
import { newId } from '../../server/base/id.ts'
import type { Context } from '../../server/context.ts'
import { CONCURRENCY_MAX } from '../../server/webhooks/delivery/endpoint-limits.ts'
import { newSecret } from '../../server/webhooks/target.ts'
import { type BenchOptions, profileFlags } from '../harness/bench.ts'
import { ask, type Child, startPartner } from '../harness/child.ts'
import { compare, type Row } from '../harness/figures.ts'
import type { Lab } from '../harness/lab.ts'
import { SAMPLE, type Subscriber, writeEvents } from './fixture.ts'
import type { Posting } from './limit-process.ts'
import type { Receipts } from './receiver-process.ts'

const LIMIT = fileURLToPath(new URL('./limit-process.ts', import.meta.url))
const TARGET = 0.35
/** Approximate deliveries per second, to choose the number of events of a round. */
const PER_SECOND = 3000

export interface Measured {
  ctx: Context
  receiver: Child
  url: string
}

/** Requests per second that `start` causes at the receiver. */
async function rateOf(receiver: Child, count: number, start: () => Promise<unknown>): Promise<number> {
  await ask(receiver, { expect: count })
  const [{ elapsedMs }] = await Promise.all([ask<Receipts>(receiver, { receipts: true }), start()])
  return ((count - 1) / elapsedMs) * 1000
}

/** Bodies as long as the ones the service sends. */
const bodies = () =>
  Array.from({ length: 500 }, () => {
    const id = newId()
    const [timestamp, organizationId, recordId, objectId] = [
      new Date().toISOString(),
      newId(),
      newId(),
      newId(),
    ]
    const event = { id, type: 'record.created', timestamp, organizationId, recordId, objectId, data: SAMPLE }
    return { id, body: JSON.stringify(event) }
  })

const settle = (ctx: Context) => ctx.db.run(sql`vacuum analyze`)

/** Measures rounds of both sides alternately, after a short warm-up round of each. */
export async function measureDeliveries(
  lab: Lab,
  { ctx, receiver, url }: Measured,
  { subscriber, options }: { subscriber: Subscriber; options: BenchOptions },
): Promise<Row> {
  const { endpoints } = subscriber
  const events = Math.ceil((options.seconds * PER_SECOND) / endpoints)
  const limit = startPartner(lab, { name: 'The limit', file: LIMIT, flags: profileFlags(options, 'limit') })
  const common = { url, endpoints, concurrency: CONCURRENCY_MAX, secret: newSecret(), bodies: bodies() }
  const post = (count: number) => ask(limit, { ...common, count } satisfies Posting)
  const [ours, theirs]: [number[], number[]] = [[], []]
  for (let round = 0; round <= options.rounds; round++) {
    await settle(ctx)
    const some = round === 0 ? Math.ceil(events / 5) : events
    const own = await rateOf(receiver, some * endpoints, () => writeEvents(ctx.db, subscriber, some))
    const bound = await rateOf(receiver, some * endpoints, () => post(some * endpoints))
    lab.tell(`  ${endpoints} endpoints: ${Math.round(own)}/s, the limit ${Math.round(bound)}/s`)
    if (round === 0) continue
    ours.push(own)
    theirs.push(bound)
  }
  await limit.stop()
  const name = `deliveries to ${endpoints} endpoint${endpoints === 1 ? '' : 's'}`
  return compare({ case: name, unit: '/s', ours, limit: theirs, target: TARGET })
}
