// Time from the write of a record to the first step of the workflow run that it starts.
import { setTimeout as delay } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { Pool } from 'undici'
import { newId } from '../../server/base/id.ts'
import { percentile, type Row, rounded } from '../harness/figures.ts'
import type { Lab } from '../harness/lab.ts'
import { makeCustomer, makeWorkflow, recordOf } from './fixture.ts'
import type { Measured } from './throughput.ts'

const PER_SECOND = 40
const TARGETS_MS = { p50: 100, p99: 500 }
const LOOK_MS = 100
const WARM_UP_SECONDS = 4

/** A row that is met when `figure` is at most `limit`; both are in `unit`. */
export const reported = (
  name: string,
  figure: number,
  { limit, unit }: { limit: number; unit: string },
): Row => ({
  case: name,
  figure: rounded(figure),
  unit,
  limit,
  ratio: Math.round((figure / limit) * 100) / 100,
  target: null,
  met: figure <= limit,
})

async function writeRecords(url: string, key: string, count: number): Promise<void> {
  const pool = new Pool(url, { connections: 20 })
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const begin = performance.now()
  const open: Promise<void>[] = []
  for (let n = 0; n < count; n++) {
    const dueMs = (n / PER_SECOND) * 1000 - (performance.now() - begin)
    if (dueMs > 0) await delay(dueMs)
    const body = JSON.stringify({ data: recordOf(`Company ${n}`) })
    const send = async () => {
      const answer = await pool.request({
        method: 'POST',
        path: '/api/v1/objects/companies/records',
        headers,
        body,
      })
      if (answer.statusCode !== 201) throw new Error(`A record was answered with ${answer.statusCode}`)
      await answer.body.dump()
    }
    open.push(send())
  }
  await Promise.all(open)
  await pool.close()
}

/** Delays from the time in the event's id, which is made before the commit: never less than the real delays. */
const selectDelays = (db: Measured['ctx']['db'], workflow: string, after: string) =>
  db.many<{ ms: number }>(sql`
    select extract(epoch from s.started_at - uuid_extract_timestamp(r.cause_event))::float8 * 1000 as ms
    from workflow_runs r join workflow_run_steps s on s.org = r.org and s.run = r.id and s.place = 0
    where r.workflow = ${workflow} and r.cause_event > ${after}`)

const countCompleted = (db: Measured['ctx']['db'], workflow: string): Promise<number> =>
  db.value<number>(sql`
      select count(*) as n from workflow_runs where workflow = ${workflow} and status = 'completed'`)

export async function measureLatency(lab: Lab, { ctx, service, options }: Measured): Promise<Row[]> {
  const customer = await makeCustomer(ctx)
  const workflow = await makeWorkflow(ctx, customer, {
    trigger: 'record/created',
    triggerConfig: { objectId: 'companies' },
    steps: [{ key: 'note', type: 'create_activity', config: { title: 'New: {{trigger.data.name}}' } }],
  })
  let written = 0
  const write = async (count: number) => {
    await writeRecords(service.url, customer.key, count)
    written += count
    while ((await countCompleted(ctx.db, workflow)) < written) await delay(LOOK_MS)
  }
  // Warm-up: a service that has just started is slow.
  await write(PER_SECOND * WARM_UP_SECONDS)
  const count = PER_SECOND * options.seconds
  lab.tell(`  ${count} records, ${PER_SECOND}/s`)
  const begin = newId()
  await write(count)
  const found = await selectDelays(ctx.db, workflow, begin)
  const delays = Float64Array.from(found.map(({ ms }) => ms)).sort()
  if (delays.length !== count) throw new Error(`${delays.length} of ${count} records started their workflow`)
  return [
    reported('event to first step, p50', percentile(delays, 0.5), { limit: TARGETS_MS.p50, unit: 'ms' }),
    reported('event to first step, p99', percentile(delays, 0.99), { limit: TARGETS_MS.p99, unit: 'ms' }),
  ]
}
