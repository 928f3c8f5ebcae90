// The faults of a cluster, one per round, and their ends.
import { setTimeout as delay } from 'node:timers/promises'
import { Pool } from 'undici'
import { expect } from 'vitest'
import type { Random } from '../../demo/random.ts'
import type { Org } from '../factories.ts'
import type { FaultProxy } from '../faults/proxy.ts'
import { describeActivity, hasLockWaits } from './activity.ts'
import type { Cluster, LedgerDatabase } from './cluster.ts'
import { moveOrg } from './moves.ts'
import type { World } from './world.ts'

export interface Round {
  name: string
  /** The cell that is down during the fault; undefined: another fault, or a fault of the directory. */
  deadCell?: number
  lastMs: number
  begin(): Promise<void> | void
  end(): void
}

const LAST_MS = 4000
/** Longer than the leases of workflows and endpoint queues, so that other workers take the work over. */
const LONG_PAUSE_MS = 33_000

/** Kills the server of a database, and refuses connections to its machine for some time. */
function killed(database: LedgerDatabase): Round {
  const proxies = [...database.proxies.values()]
  return {
    name: `kill ${database.name}`,
    ...(database.cell > 0 && { deadCell: database.cell }),
    lastMs: LAST_MS,
    async begin() {
      for (const proxy of proxies) proxy.refuse()
      await database.kill()
    },
    end() {
      for (const proxy of proxies) proxy.accept()
    },
  }
}

function paused({ nodes }: Cluster, random: Random): Round {
  const node = random.pick(nodes)
  const isLong = node.role === 'worker' && random.chance(0.25)
  return {
    name: `pause ${node.name}${isLong ? ' beyond its leases' : ''}`,
    lastMs: isLong ? LONG_PAUSE_MS : LAST_MS,
    begin: () => void node.child.kill('SIGSTOP'),
    end: () => void node.child.kill('SIGCONT'),
  }
}

const CUTS: Readonly<Record<string, { begin(proxy: FaultProxy): void; end(proxy: FaultProxy): void }>> = {
  'reset the link': { begin: (proxy) => proxy.reset(), end: () => undefined },
  'lose the connections of the link': { begin: (proxy) => proxy.cut(), end: () => undefined },
  'refuse the link': { begin: (proxy) => proxy.refuse(), end: (proxy) => proxy.accept() },
  'black-hole the link': { begin: (proxy) => proxy.hold(), end: (proxy) => proxy.release() },
}

/** Breaks the connections between one process and one database. */
function cut({ nodes, databases }: Cluster, random: Random): Round {
  const node = random.pick(nodes)
  const database = random.pick(databases)
  const [name, { begin, end }] = random.pick(Object.entries(CUTS))
  const proxy = database.proxies.get(node.name)
  if (!proxy) throw new Error(`There is no proxy between ${node.name} and ${database.name}`)
  return {
    name: `${name} from ${node.name} to ${database.name}`,
    lastMs: LAST_MS,
    begin: () => begin(proxy),
    end: () => end(proxy),
  }
}

/** A read may be refused after a wait on a busy machine, but not because of a lock or the move. */
const isOfMove = (fault: string) => !fault.includes(': 503 ') || fault.includes('being moved')

/** Checks that reads are answered while an organization moves. @throws if the move blocks a read */
async function watchReads(cluster: Cluster, world: World, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    let isLocked = false
    const slow = setTimeout(async () => {
      isLocked = await hasLockWaits(cluster.databases).catch(() => false)
      await printActivity(cluster)
    }, SLOW_MS)
    const faults = await readFaults(cluster, world)
    clearTimeout(slow)
    expect(isLocked ? faults : faults.filter(isOfMove), 'reads while an organization moves').toEqual([])
    for (const fault of faults) process.stdout.write(`ledger: refused without a lock: ${fault}\n`)
    await delay(WATCH_MS)
  }
}

/** Called while the read still waits: after its failure the cause may no longer be visible. */
const printActivity = async ({ databases }: Cluster) =>
  process.stdout.write(`ledger: reads take over ${SLOW_MS} ms:\n${await describeActivity(databases)}`)

const SLOW_MS = 2000

const WATCH_MS = 200
/** The range of times after which a command is killed: about the duration of the command. */
const KILLED_MS = [800, 6000] as const

function moved(cluster: Cluster, world: World, random: Random): Round {
  const org = random.pick(world.orgs)
  const to = random.pick(cluster.databases.filter(({ cell }) => cell !== cluster.homes.get(org.org)))
  const killAfterMs = random.chance(0.5) ? random.integer(...KILLED_MS) : undefined
  return {
    name: `move organization ${org.org} to ${to.name}${killAfterMs === undefined ? '' : ', and kill the command'}`,
    lastMs: 0,
    async begin() {
      let isOver = false
      const moving = moveOrg(cluster, { org, to }, killAfterMs).finally(() => {
        isOver = true
      })
      await Promise.all([moving, watchReads(cluster, world, () => isOver)])
    },
    end: () => undefined,
  }
}

/** Chooses the kinds of rounds in turn. */
export function roundOf(number: number, cluster: Cluster, world: World, random: Random): Round {
  const [directory, ...cells] = cluster.databases
  if (!directory) throw new Error('There is no directory')
  const kinds = [
    () => killed(random.pick(cells)),
    () => moved(cluster, world, random),
    () => cut(cluster, random),
    () => paused(cluster, random),
    () => killed(directory),
    () => cut(cluster, random),
  ]
  const round = kinds[number % kinds.length]?.()
  if (!round) throw new Error('There is no kind of round')
  return round
}

async function readFrom(pool: Pool, { org, key }: Org): Promise<string[]> {
  const { statusCode, body } = await pool.request({
    method: 'GET',
    path: '/api/v1/objects/companies/records?limit=1',
    headers: { authorization: `Bearer ${key}` },
  })
  const text = await body.text()
  return statusCode === 200 ? [] : [`organization ${org}: ${statusCode} ${text}`]
}

/** Reads from every organization at every node. @returns the failures */
async function readFaults({ nodes }: Cluster, { orgs }: World): Promise<string[]> {
  const answers = nodes.flatMap(({ address }) => {
    if (address === undefined) return []
    const pool = new Pool(address, { connections: orgs.length })
    const asked = orgs.map((org) => readFrom(pool, org).catch((error: unknown) => [String(error)]))
    return [Promise.all(asked).finally(() => pool.close())]
  })
  return (await Promise.all(answers)).flat(2)
}

export interface Window {
  from: number
  to: number
  deadCell: number | undefined
  isCalm: boolean
}

const CALM_MS = 1500
const WELL_MS = 90_000

const expectWell = (cluster: Cluster, world: World) =>
  expect.poll(() => readFaults(cluster, world), { timeout: WELL_MS, interval: 200 }).toEqual([])

/** @returns the periods of the fault and of the calm after it, by performance.now() */
export async function endure(round: Round, cluster: Cluster, world: World): Promise<Window[]> {
  await expectWell(cluster, world)
  const from = performance.now()
  await round.begin()
  await delay(round.lastMs)
  const to = performance.now()
  round.end()
  await expectWell(cluster, world)
  const wellAt = performance.now()
  await delay(CALM_MS)
  process.stdout.write(`ledger: ${round.name}: well after ${Math.round(wellAt - to)} ms\n`)
  return [
    { from, to, deadCell: round.deadCell, isCalm: false },
    { from: wellAt, to: performance.now(), deadCell: undefined, isCalm: true },
  ]
}
