// Replicas that stop without a word: every process of the server is held, or killed.
import { beforeAll, expect, test } from 'vitest'
import { makeReport } from '../../reports/reports.fixture.ts'
import { buildReplicatedService } from '../../test/replicated-service.ts'
import { signalServer } from '../../test/standby.ts'

const { standby, service, replicas, reads, caughtUp } = await buildReplicatedService()
const org = await service.org()
const NAMES = Array.from({ length: 20 }, (_, index) => `Company ${index}`)
/** The longest that a read may wait for a replica which does not answer, with the read of the primary after it. */
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
/** With a key that writes nothing: reads of one that does are led to the primary. */
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

/** Sends lists and a report from just before `fail` on. @returns the longest time of one, in milliseconds */
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

test('a replica that is frozen fails no list and no report, and is read again once it goes on', async () => {
  const [failed, down] = [reads('list', 'failed'), reads('list', 'down')]
  const longest = await readDuring(() => signalAll('SIGSTOP')).finally(() => signalAll('SIGCONT'))
  expect(longest).toBeLessThan(BOUND_MS)
  // Reads that had begun are broken off, later ones do not begin there.
  expect(reads('list', 'failed')).toBeGreaterThan(failed)
  expect(reads('list', 'down')).toBeGreaterThan(down)
  await readAgain()
})

test('a replica that is killed fails no list and no report, and is read again once it is back', async () => {
  expect(await readDuring(() => signalAll('SIGKILL'))).toBeLessThan(BOUND_MS)
  await readAgain()
})
