// Replicas that stop without closing connections: all processes of the server are paused or killed.
import { beforeAll, expect, test } from 'vitest'
import { makeReport } from '../../reports/reports.fixture.ts'
import { buildReplicatedService } from '../../test/replicated-service.ts'
import { signalServer } from '../../test/standby.ts'

const { standby, service, replicas, reads, caughtUp } = await buildReplicatedService()
const org = await service.org()
const NAMES = Array.from({ length: 20 }, (_, index) => `Company ${index}`)
/** The longest read: the wait for a replica that does not answer, and the following read of the primary. */
const BOUND_MS = 8000
const SENT_MS = 3000
let report: { id: string }
let reader: string

beforeAll(async () => {
  const records = NAMES.map((name) => ({ data: { name } }))
  expect((await org.post('/objects/companies/records/bulk', { records })).status).toBe(200)
  report = await makeReport(org)
  reader = await org.keyWith(['records:read'])
  await caughtUp()
})

const signalAll = (signal: NodeJS.Signals) => signalServer(standby, signal)

const timed = async (send: () => Promise<{ status: number; body: unknown }>) => {
  const began = performance.now()
  const { status, body } = await send()
  return { status, body, ms: performance.now() - began }
}
/** Uses a key that has not written: reads of a key that has written go to the primary. */
const list = () =>
  timed(async () => {
    const reply = await service.inject({
      method: 'GET',
      url: '/api/v1/objects/companies/records?limit=50&consistency=eventual',
      headers: { authorization: `Bearer ${reader}` },
    })
    return { status: reply.statusCode, body: reply.json() }
  })
const runReport = () => timed(() => org.post(`/reports/${report.id}/run`))

/** Sends lists and a report, from just before `fail`. @returns the longest response time in milliseconds */
async function readDuring(fail: () => Promise<void>): Promise<number> {
  const lists = [list()]
  const running = runReport()
  await fail()
  for (const end = performance.now() + SENT_MS; performance.now() < end; ) {
    lists.push(list())
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  const all = await Promise.all(lists)
  for (const { status, body } of all) {
    expect(status, JSON.stringify(body)).toBe(200)
    expect((body as { records: object[] }).records).toHaveLength(NAMES.length)
  }
  const ran = await running
  expect(ran.status, JSON.stringify(ran.body)).toBe(201)
  return Math.max(ran.ms, ...all.map(({ ms }) => ms))
}

async function readAgain(): Promise<void> {
  await expect.poll(() => replicas.status[0]?.state).toBe('ready')
  const before = reads('list', 'replica')
  await expect
    .poll(async () => (await list()).status === 200 && reads('list', 'replica'))
    .toBeGreaterThan(before)
}

test('no list or report fails when a replica freezes, and the replica is read again when it continues', async () => {
  const [failed, down] = [reads('list', 'failed'), reads('list', 'down')]
  const longest = await readDuring(() => signalAll('SIGSTOP')).finally(() => signalAll('SIGCONT'))
  expect(longest).toBeLessThan(BOUND_MS)
  // Running reads are cancelled, and later reads do not use the replica.
  expect(reads('list', 'failed')).toBeGreaterThan(failed)
  expect(reads('list', 'down')).toBeGreaterThan(down)
  await readAgain()
})

test('no list or report fails when a replica is killed, and the replica is read again when it is back', async () => {
  expect(await readDuring(() => signalAll('SIGKILL'))).toBeLessThan(BOUND_MS)
  await readAgain()
})
