// What breaks in a cluster, round by round, and how it heals.
import { setTimeout as delay } from 'node:timers/promises'
import { Pool } from 'undici'
import { expect } from 'vitest'
import type { Random } from '../../demo/random.ts'
import type { Org } from '../factories.ts'
import type { FaultProxy } from '../faults/proxy.ts'
import { describeActivity, hasLockWaits } from './activity.ts'
import type { Cluster, Place } from './cluster.ts'
import { moveOrg } from './moves.ts'
import type { World } from './world.ts'

export interface Round {
  name: string
  /** The cell that is dead meanwhile; undefined: another fault, or that of the directory. */
  deadCell?: number
  lastMs: number
  begin(): Promise<void> | void
  end(): void
}

const LAST_MS = 4000
/** Longer than the leases of workflows and endpoint queues, so that other workers take the work over. */
const LONG_PAUSE_MS = 33_000

/** Its server is killed, and its machine is away for a while. */
function killed(place: Place): Round {
  const proxies = [...place.proxies.values()]
  return {
    name: `kill ${place.name}`,
    ...(place.cell > 0 && { deadCell: place.cell }),
    lastMs: LAST_MS,
    async begin() {
      for (const proxy of proxies) proxy.refuse()
      await place.kill()
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

/** Between one process and one database, or all databases. */
function cut({ nodes, places }: Cluster, random: Random): Round {
  const node = random.pick(nodes)
  const place = random.pick(places)
  const [name, { begin, end }] = random.pick(Object.entries(CUTS))
  const proxy = place.proxies.get(node.name)
  if (!proxy) throw new Error(`There is no proxy between ${node.name} and ${place.name}`)
  return {
    name: `${name} from ${node.name} to ${place.name}`,
    lastMs: LAST_MS,
    begin: () => begin(proxy),
    end: () => end(proxy),
  }
}

/** A machine that is busy with other tests may let a read wait until it is refused: a lock or the move may not. */
const isOfMove = (fault: string) => !fault.includes(': 503 ') || fault.includes('being moved')

/** Reads are answered all the time while an organization moves. @throws when it keeps one from being answered */
async function watchReads(cluster: Cluster, world: World, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    let isLocked = false
    const slow = setTimeout(async () => {
      isLocked = await hasLockWaits(cluster.places).catch(() => false)
      await printActivity(cluster)
    }, SLOW_MS)
    const faults = await readFaults(cluster, world)
    clearTimeout(slow)
    expect(isLocked ? faults : faults.filter(isOfMove), 'reads while an organization moves').toEqual([])
    for (const fault of faults) process.stdout.write(`ledger: refused without a lock: ${fault}\n`)
    await delay(WATCH_MS)
  }
}

/** What a read waits for is over when it has failed. */
const printActivity = async ({ places }: Cluster) =>
  process.stdout.write(`ledger: reads take over ${SLOW_MS} ms:\n${await describeActivity(places)}`)

const SLOW_MS = 2000

const WATCH_MS = 200
/** About as long as the command takes. */
const KILLED_MS = [800, 6000] as const

function moved(cluster: Cluster, world: World, random: Random): Round {
  const org = random.pick(world.orgs)
  const to = random.pick(cluster.places.filter(({ cell }) => cell !== cluster.homes.get(org.org)))
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

/** Every kind as often as the others, in this order. */
export function roundOf(number: number, cluster: Cluster, world: World, random: Random): Round {
  const [directory, ...cells] = cluster.places
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

/** What is answered wrong to reads of every organization at every node. */
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

/** @returns the times of the fault and of the calm after it, by performance.now() */
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
