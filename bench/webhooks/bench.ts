// bench webhooks: rate and delay of deliveries, and how much events slow requests that write records.
import { fileURLToPath } from 'node:url'
import { type Bench, type BenchOptions, chosen, profileFlags } from '../harness/bench.ts'
import { ask, startPartner } from '../harness/child.ts'
import type { Row } from '../harness/figures.ts'
import type { Lab } from '../harness/lab.ts'
import { attach, type Service, startService } from '../harness/service.ts'
import { type Measured, measureDeliveries } from './deliveries.ts'
import { makeSubscriber } from './fixture.ts'
import { measureOutbox } from './outbox.ts'
import { measureCurve, measureOverload } from './rates.ts'

const RECEIVER = fileURLToPath(new URL('./receiver-process.ts', import.meta.url))

async function prepare(lab: Lab, service: Service): Promise<Measured> {
  const { ctx, close } = await attach(lab, service)
  lab.onClose(close)
  const receiver = startPartner(lab, { name: 'The receiver', file: RECEIVER })
  const { url } = await ask<{ url: string }>(receiver, { open: true })
  return { ctx, receiver, url }
}

async function deliveries(lab: Lab, options: BenchOptions): Promise<Row[]> {
  const env = { EGRESS_ALLOW_PRIVATE: 'true' }
  const service = await startService(lab, { flags: profileFlags(options, 'service'), env })
  const measured = await prepare(lab, service)
  const rows: Row[] = []
  for (const endpoints of [1, 20]) {
    const subscriber = await makeSubscriber(measured.ctx, measured.url, endpoints)
    rows.push(await measureDeliveries(lab, measured, { subscriber, options }))
  }
  await service.child.stop()
  return rows
}

const CASES = [
  { name: 'outbox', run: measureOutbox },
  { name: 'deliveries', run: deliveries },
  { name: 'curve', run: measureCurve },
  { name: 'overload', run: measureOverload },
] as const

async function run(lab: Lab, options: BenchOptions): Promise<Row[]> {
  const rows: Row[] = []
  for (const one of chosen(CASES, options.only)) {
    lab.tell(`${one.name} …`)
    rows.push(...(await one.run(lab, options)))
  }
  return rows
}

export const webhooksBench: Bench = {
  name: 'webhooks',
  summary: 'deliveries compared with plain undici, their delay by load, and what the outbox costs writers',
  run,
}
