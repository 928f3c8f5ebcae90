// Kills the service at random times, and restarts it immediately.
import { setTimeout as delay } from 'node:timers/promises'
import type { Random } from '../../demo/random.ts'
import type { Gate } from './gate.ts'
import type { Life } from './life.ts'

interface Options {
  kills: number
  random: Random
  gate: Gate
  begin: () => Promise<Life>
  /** Called between two lives of the service. `isToDeliver`: the next life must find expired leases. */
  whileDead: (isToDeliver: boolean) => Promise<void>
  /** Resolves after the arrival of `count` more webhooks. */
  arrival: (count: number) => Promise<void>
}

const SHORTEST_MS = 50
const LONGEST_MS = 400
/** A count, not a time: on a busy machine a life could otherwise end before it stores one delivery. */
const MOST_ARRIVALS = 100
const TELL_EVERY = 100

/** One life in two is killed shortly after its first answer, the others while they deliver. */
async function liveAndDie({ random, gate, begin, whileDead, arrival }: Options): Promise<void> {
  const isToDeliver = random.chance(0.5)
  await whileDead(isToDeliver)
  const arrived = arrival(random.integer(1, MOST_ARRIVALS))
  const life = await begin()
  await gate.open(life.address)
  if (isToDeliver) await arrived
  await delay(random.integer(SHORTEST_MS, LONGEST_MS))
  gate.close()
  await life.kill()
}

/** @returns the life after the last kill */
export async function killAgainAndAgain(options: Options): Promise<Life> {
  const { kills, gate, begin, whileDead } = options
  for (let n = 1; n <= kills; n++) {
    await liveAndDie(options)
    if (n % TELL_EVERY === 0) process.stdout.write(`ledger: ${n} of ${kills} kills\n`)
  }
  await whileDead(true)
  const last = await begin()
  await gate.open(last.address)
  return last
}
