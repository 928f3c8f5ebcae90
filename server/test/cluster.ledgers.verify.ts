// While parts of a cluster fail and organizations move, no acknowledged change is lost, no event is lost or out of
// order, and no step is executed twice.
//
// `npm run soak -- cluster --count 100 --seed 7` is the long form. The seed determines the requests and the faults.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createRandom } from '../demo/random.ts'
import { wholeNumber } from './dose.ts'
import type { Org } from './factories.ts'
import { SECRETS_KEY } from './faults/options.ts'
import { type Cluster, openCluster } from './ledger/cluster.ts'
import { createGate, type Gate } from './ledger/gate.ts'
import { createInbox } from './ledger/inbox.ts'
import { clearFormer } from './ledger/moves.ts'
import { feedFaults, historyFaults } from './ledger/readers.ts'
import { endure, roundOf, type Window } from './ledger/rounds.ts'
import { deliverEverything, selectEvents, selectRecords } from './ledger/state.ts'
import { endRuns, insertStepping, stepFaults } from './ledger/steps.ts'
import { judge } from './ledger/verdict.ts'
import { buildWorld, type World } from './ledger/world.ts'
import { type Log, runWriter } from './ledger/writer.ts'
import { startReceiver } from './receiver.ts'

const ROUNDS = wholeNumber('CLUSTER_ROUNDS', 6)
const SEED = wholeNumber('CLUSTER_SEED', Date.now() % 1_000_000)
const ROUND_MS_MAX = 150_000
const REST_MS_MAX = 180_000
/** Writers of each organization, one at each API node. */
const WRITERS = 2
/** Numbers of random streams, different from the numbers of the writers. */
const [RECEIVER, BREAKER] = [101, 102]

let cluster: Cluster
const receiver = await startReceiver({ isRecording: false })
beforeAll(async () => {
  cluster = await openCluster(SECRETS_KEY)
})
afterAll(async () => {
  await cluster?.close()
})

interface Sample {
  /** The cell of the organization. */
  cell: number
  at: number
  ms: number
}

/** The same gate, which also records the times of responses. */
const measured = (gate: Gate, { org }: Org, samples: Sample[]): Gate => ({
  ...gate,
  took(ms, status) {
    gate.took(ms, status)
    const cell = cluster.homes.get(org) ?? 0
    if (status >= 200 && status < 500) samples.push({ cell, at: performance.now() - ms, ms })
  },
})

function startWriters({ orgs }: World, gates: readonly Gate[], { logs, samples }: Load, stop: AbortSignal) {
  const writers = orgs.flatMap((org, index) => {
    const shared: string[] = []
    return Array.from({ length: WRITERS }, (_, place) => {
      const [gate, log] = [gates[place % gates.length], logs[index]]
      if (!gate || !log) throw new Error('There is no gate')
      const number = index * WRITERS + place
      return runWriter({ org, gate: measured(gate, org, samples), log, shared, number, seed: SEED, stop })
    })
  })
  return Promise.all(writers)
}

interface Load {
  /** One log for each organization. */
  logs: Log[]
  samples: Sample[]
}

const p99 = (samples: readonly Sample[]) =>
  samples.map(({ ms }) => ms).toSorted((a, b) => a - b)[Math.floor(samples.length * 0.99)] ?? 0

/** The 99th percentiles of organizations outside the dead cell, and of all organizations without faults. */
function p99s(samples: readonly Sample[], windows: readonly Window[]) {
  const within = (at: number, { from, to }: Window) => at >= from && at < to
  const pick = (isWanted: (window: Window, sample: Sample) => boolean) =>
    samples.filter((one) => windows.some((window) => isWanted(window, one) && within(one.at, window)))
  const others = pick(({ deadCell }, { cell }) => deadCell !== undefined && cell !== deadCell)
  const calm = pick(({ isCalm }) => isCalm)
  return { others: p99(others), calm: p99(calm), count: [others.length, calm.length] }
}

const sumOf = (logs: readonly (Log | undefined)[]): Log => ({
  entries: logs.flatMap((log) => log?.entries ?? []),
  repeated: logs.reduce((sum, log) => sum + (log?.repeated ?? 0), 0),
  purged: logs.flatMap((log) => log?.purged ?? []),
})

async function breakAll(world: World): Promise<Window[]> {
  const random = createRandom(SEED, BREAKER)
  const windows: Window[] = []
  for (let number = 0; number < ROUNDS; number++)
    windows.push(...(await endure(roundOf(number, cluster, world, random), cluster, world)))
  return windows
}

test(`${ROUNDS} faults of a cluster (seed ${SEED}): no acknowledged change and no event is lost`, {
  timeout: ROUNDS * ROUND_MS_MAX + 2 * REST_MS_MAX,
}, async () => {
  const { service, databases, nodes } = cluster
  const contexts = databases.map(({ ctx }) => ctx)
  const world = await buildWorld(service, receiver.url, contexts)
  for (const [place, ctx] of contexts.entries()) {
    const org = world.orgs[place]
    if (!org) continue
    cluster.homes.set(org.org, place)
    await insertStepping(ctx, org)
  }
  const inbox = createInbox(world.hooks, createRandom(SEED, RECEIVER))
  receiver.answer(inbox.answer)

  const startedAt = performance.now()
  const gates = nodes.flatMap(({ address }) => {
    if (address === undefined) return []
    const gate = createGate()
    void gate.open(address)
    return [gate]
  })
  const load: Load = { logs: databases.map(() => ({ entries: [], repeated: 0, purged: [] })), samples: [] }
  const stop = new AbortController()
  const writing = startWriters(world, gates, load, stop.signal)
  const breaking = breakAll(world)
  // A wrong response to a writer ends the test immediately.
  await Promise.race([breaking, writing])
  const windows = await breaking
  stop.abort()
  await writing

  inbox.recover()
  const faults: string[] = []
  const figures: Record<string, number> = { steps: 0 }
  await clearFormer(cluster, world.orgs)
  for (const { pool, name, cell } of databases) {
    await endRuns(pool, REST_MS_MAX)
    await deliverEverything(pool, REST_MS_MAX)
    const orgs = world.orgs.filter(({ org }) => cluster.homes.get(org) === cell)
    const hooks = world.hooks.filter(({ org }) => orgs.includes(org))
    const log = sumOf(orgs.map((org) => load.logs[world.orgs.indexOf(org)]))
    const verdict = await judge({ db: pool, hooks, inbox, log })
    const steps = await stepFaults(pool)
    faults.push(...[...verdict.faults, ...steps.faults].map((fault) => `${name}: ${fault}`))
    // These figures of the receiver are totals of all cells.
    const { received = 0, refused = 0, duplicates = 0, ...own } = verdict.figures
    Object.assign(figures, { received, refused, duplicates, steps: (figures['steps'] ?? 0) + steps.steps })
    for (const [figure, count] of Object.entries(own)) figures[figure] = (figures[figure] ?? 0) + count
    const written = await selectEvents(pool)
    await expect.poll(() => feedFaults(orgs, written), { timeout: REST_MS_MAX, interval: 250 }).toEqual([])
    expect(await historyFaults(orgs, await selectRecords(pool))).toEqual([])
  }
  const { others, calm, count } = p99s(load.samples, windows)
  const statuses = gates.map((gate) => JSON.stringify(gate.times().statuses)).join(' ')
  process.stdout.write(
    `ledger: seed ${SEED}, ${ROUNDS} rounds in ${Math.round((performance.now() - startedAt) / 1000)} s; ${JSON.stringify(figures)}; statuses ${statuses}; p99 of other cells while one is dead ${Math.round(others)} ms, of all in calm times ${Math.round(calm)} ms, ratio ${(others / calm).toFixed(2)} (${count.join(' and ')} answers)\n`,
  )
  expect(Math.min(...count), 'answers by which the times of healthy cells are judged').toBeGreaterThan(0)
  expect({ count: faults.length, first: faults.slice(0, 20) }).toEqual({ count: 0, first: [] })
})
