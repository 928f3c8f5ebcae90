// Time until another worker continues the runs of a worker that was killed with SIGKILL.
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { ask, startPartner } from '../harness/child.ts'
import { percentile, type Row } from '../harness/figures.ts'
import type { Lab } from '../harness/lab.ts'
import { addRuns, makeCustomer, makeWorkflow } from './fixture.ts'
import { reported } from './latency.ts'
import type { Measured } from './throughput.ts'

const WORKER = fileURLToPath(new URL('./worker-process.ts', import.meta.url))
const RUNS = 20
const TARGET_SECONDS = 35

/** Leaves the first `RUNS` requests without an answer, then records the time of each request. */
async function openReceiver(lab: Lab) {
  const first: ServerResponse[] = []
  const arrivals: number[] = []
  const { promise: allAsked, resolve: asked } = Promise.withResolvers<void>()
  const { promise: allBack, resolve: back } = Promise.withResolvers<void>()
  const server = createServer((_request, response) => {
    if (first.length < RUNS) {
      if (first.push(response) === RUNS) asked()
      return
    }
    response.end()
    if (arrivals.push(performance.now()) === RUNS) back()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  lab.onClose(async () => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, allAsked, allBack, arrivals }
}

async function startWorker(lab: Lab, dataDir: string) {
  const worker = startPartner(lab, { name: 'A worker', file: WORKER })
  await ask(worker, { dataDir })
  return worker
}

/** The service of `measured` must not have a worker. */
export async function measureResume(lab: Lab, { ctx, service }: Measured): Promise<Row[]> {
  const { url, allAsked, allBack, arrivals } = await openReceiver(lab)
  const customer = await makeCustomer(ctx)
  const steps = [{ key: 'ask', type: 'http_request' as const, config: { url, timeoutMs: 30_000 } }]
  const concurrency = { key: 'none' as const, limit: 10 }
  for (let n = 0; n < RUNS / concurrency.limit; n++)
    await addRuns(
      ctx.db,
      customer,
      await makeWorkflow(ctx, customer, { trigger: 'manual', concurrency, steps }),
      concurrency.limit,
    )
  const doomed = await startWorker(lab, service.dataDir)
  await allAsked
  await startWorker(lab, service.dataDir)
  lab.tell(`  ${RUNS} runs, their worker is killed …`)
  const killedAt = performance.now()
  doomed.process.kill('SIGKILL')
  await allBack
  const seconds = Float64Array.from(arrivals.map((at) => (at - killedAt) / 1000)).sort()
  const limit = { limit: TARGET_SECONDS, unit: 's' }
  return [
    reported('kill -9 to the next step, p50', percentile(seconds, 0.5), limit),
    reported('kill -9 to the next step, p99', percentile(seconds, 0.99), limit),
  ]
}
