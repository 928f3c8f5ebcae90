import { join } from 'node:path'
import sql from 'sql-template-tag'
import { afterAll, expect, test } from 'vitest'
import { createRandom } from '../demo/random.ts'
import { buildTestService } from './build-app.ts'
import { testDatabaseUrl } from './database.ts'
import { wholeNumber } from './dose.ts'
import { killAgainAndAgain } from './ledger/chaos.ts'
import { createGate } from './ledger/gate.ts'
import { createInbox } from './ledger/inbox.ts'
import { createLives } from './ledger/life.ts'
import { feedFaults, historyFaults, mirrorFaults } from './ledger/readers.ts'
import { countForgotten, deliverEverything, endLeases, selectEvents, selectRecords } from './ledger/state.ts'
import { judge } from './ledger/verdict.ts'
import { buildWorld } from './ledger/world.ts'
import { type Log, runWriter } from './ledger/writer.ts'
import { startReceiver } from './receiver.ts'
import { temporaryFolder } from './temporary-folder.ts'

const KILLS = wholeNumber('LEDGER_KILLS', 10)
const SEED = wholeNumber('LEDGER_SEED', Date.now() % 1_000_000)
const WRITERS = 8
/** The limit on a machine that is busy with other tests; usually a kill takes a little more than a second. */
const KILL_MS_MAX = 15_000
const REST_MS_MAX = 120_000
/** Numbers of random streams, different from the numbers of the writers. */
const [RECEIVER, KILLER] = [101, 102]

const lives = createLives()
const SECRETS_KEY = Buffer.alloc(32, 9)
const service = await buildTestService({ secretsKeys: [SECRETS_KEY] })
const { db } = service.ctx
const receiver = await startReceiver({ isRecording: false })
const folder = await temporaryFolder('ledger')
afterAll(async () => {
  await lives.killAll()
})

/** The error log of the service, from all its processes. */
const complaints: string[] = []

async function environment(): Promise<Record<string, string>> {
  const { config, directory } = service.ctx
  const { name } = await directory.one<{ name: string }>(sql`select current_database() as name`)
  return {
    DATABASE_URL: testDatabaseUrl(name),
    CELLS: config.cells.map((cell) => `${cell.name}=${cell.databaseUrl}`).join(' '),
    DATA_DIR: join(folder, 'data'),
    SECRETS_KEY: SECRETS_KEY.toString('base64'),
    PORT: '0',
    ROLE: 'all',
    LOG_LEVEL: 'error',
    EGRESS_ALLOW_PRIVATE: 'true',
    RATE_LIMIT_PER_MINUTE: '1000000000',
    // On a slow machine the writers of an organization keep the database busy permanently. None must wait for that.
    DATABASE_SUSTAINED_CONNECTIONS_PER_ORGANIZATION: '500',
  }
}

test(`${KILLS} times kill -9 (seed ${SEED}): no acknowledged change and no event is lost`, {
  timeout: KILLS * KILL_MS_MAX + 2 * REST_MS_MAX,
}, async () => {
  const { orgs, hooks } = await buildWorld(service, receiver.url)
  const inbox = createInbox(hooks, createRandom(SEED, RECEIVER))
  receiver.answer(inbox.answer)
  const env = await environment()
  const begin = () => lives.begin({ env, onLog: (line) => complaints.push(line) })
  expect(await (await begin()).stop()).toBe(0)

  const startedAt = performance.now()
  const gate = createGate()
  const log: Log = { entries: [], repeated: 0, purged: [] }
  const stop = new AbortController()
  const shared = new Map(orgs.map((org) => [org, [] as string[]]))
  const writing = Promise.all(
    Array.from({ length: WRITERS }, (_, number) => {
      const org = orgs[number % orgs.length]
      return (
        org &&
        runWriter({ org, gate, log, shared: shared.get(org) ?? [], number, seed: SEED, stop: stop.signal })
      )
    }),
  )
  const whileDead = async (isToDeliver: boolean) => {
    expect(await countForgotten(db)).toBe(0)
    if (isToDeliver) await endLeases(db)
  }
  const arrival = (count: number) => receiver.received(receiver.count() + count)
  const random = createRandom(SEED, KILLER)
  const killing = killAgainAndAgain({ kills: KILLS, random, gate, begin, whileDead, arrival })
  // A wrong response to a writer ends the test immediately.
  await Promise.race([killing, writing])
  const last = await killing
  stop.abort()
  await writing

  inbox.recover()
  await deliverEverything(db, REST_MS_MAX)
  const { faults, figures } = await judge({ db, hooks, inbox, log })
  const seconds = Math.round((performance.now() - startedAt) / 1000)
  const { ok, failed, unknown, happened, repeated, events, received, refused, duplicates } = figures
  process.stdout.write(
    `ledger: seed ${SEED}, ${KILLS} kills in ${seconds} s; writes: ${ok} ok, ${failed} failed, ${unknown} unknown (of those ${happened} done), ${repeated} repeated by key; ${events} events; ${received} deliveries, ${refused} of them refused, ${duplicates} duplicates\n`,
  )
  // One defect may cause thousands of faults.
  expect({ count: faults.length, first: faults.slice(0, 20) }).toEqual({ count: 0, first: [] })
  const written = await selectEvents(db)
  // Open transactions of other tests delay events.
  await expect.poll(() => feedFaults(orgs, written), { timeout: REST_MS_MAX, interval: 250 }).toEqual([])
  expect(await mirrorFaults(orgs)).toEqual([])
  expect(await historyFaults(orgs, await selectRecords(db))).toEqual([])
  expect(complaints).toEqual([])
  expect(await last.stop()).toBe(0)
})
