// How late events arrive while half as many are written as could be delivered.
import { setTimeout as delay } from 'node:timers/promises'
import { Pool } from 'undici'
import { ask } from '../harness/child.ts'
import { type Row, rounded } from '../harness/figures.ts'
import type { Lab } from '../harness/lab.ts'
import type { Service } from '../harness/service.ts'
import type { Measured } from './deliveries.ts'
import { SAMPLE, type Subscriber } from './fixture.ts'
import type { Receipts } from './receiver-process.ts'

interface Load {
  subscriber: Subscriber
  service: Service
  /** Events. */
  perSecond: number
  seconds: number
}

const PER_REQUEST = 10
const TARGETS_MS = { p50: 50, p99: 300 }

/** Bulk requests of ten records, evenly spaced, however long the answers take. */
async function writeRecords({ subscriber, service, perSecond }: Load, count: number): Promise<void> {
  const pool = new Pool(service.url, { connections: 20 })
  const headers = { authorization: `Bearer ${subscriber.key}`, 'content-type': 'application/json' }
  const { domain: _, ...data } = SAMPLE
  const body = JSON.stringify({ mode: 'create', records: Array<object>(PER_REQUEST).fill({ data }) })
  const path = '/api/v1/objects/companies/records/bulk'
  const begin = performance.now()
  const open = new Set<Promise<void>>()
  for (let n = 0; n < count / PER_REQUEST; n++) {
    const dueMs = ((n * PER_REQUEST) / perSecond) * 1000 - (performance.now() - begin)
    if (dueMs > 0) await delay(dueMs)
    const sending = pool.request({ method: 'POST', path, headers, body }).then(async (answer) => {
      if (answer.statusCode !== 200) throw new Error(`A bulk request was answered with ${answer.statusCode}`)
      await answer.body.dump()
      open.delete(sending)
    })
    open.add(sending)
  }
  await Promise.all(open)
  await pool.close()
}

const rowOf = (name: string, figure: number, targetMs: number): Row => ({
  case: name,
  figure: rounded(figure),
  unit: 'ms',
  limit: targetMs,
  ratio: Math.round((figure / targetMs) * 100) / 100,
  target: null,
  met: figure <= targetMs,
})

export async function measureLatency(lab: Lab, { receiver }: Measured, load: Load): Promise<Row[]> {
  const count = Math.ceil((load.perSecond * load.seconds) / PER_REQUEST) * PER_REQUEST
  lab.tell(`  ${count} events, ${Math.round(load.perSecond)}/s`)
  await ask(receiver, { expect: count })
  const [{ p50Ms, p99Ms }] = await Promise.all([
    ask<Receipts>(receiver, { receipts: true }),
    writeRecords(load, count),
  ])
  return [
    rowOf('event to receipt at half that load, p50', p50Ms, TARGETS_MS.p50),
    rowOf('event to receipt at half that load, p99', p99Ms, TARGETS_MS.p99),
  ]
}
