// A client that writes continuously and records its answers.
import { setTimeout as delay } from 'node:timers/promises'
import { createRandom } from '../../demo/random.ts'
import type { Org } from '../factories.ts'
import type { Change, Entry } from './accounts.ts'
import { type Answer, ask } from './ask.ts'
import type { Gate } from './gate.ts'
import type { Hand, Plan } from './hand.ts'
import { nextPlan } from './plans.ts'

export interface Log {
  entries: Entry[]
  /** The number of requests that got their answer only on a retry. */
  repeated: number
  /** Records for which permanent deletion was requested, with or without success. */
  purged: string[]
}

interface Options {
  org: Org
  gate: Gate
  log: Log
  /** Ids of the records that all writers of the organization change. */
  shared: string[]
  /** Every writer of a run has a different number. */
  number: number
  seed: number
  stop: AbortSignal
}

/** The longest pause between two requests: the receiver must keep up. */
const THINK_MS = 120
const KEYED = 0.5

function newHand({ number, seed, shared }: Options): Hand {
  const random = createRandom(seed, number)
  let marks = 0
  const own = { records: [], deletedIds: [], trash: [], purged: [], merges: [] }
  return { random, mark: () => `w${number}-${++marks}`, ...own, shared }
}

function requireStatus({ request, status }: Plan, answer: Answer): void {
  if (answer.status === status) return
  const { method, path } = request
  throw new Error(
    `${method} ${path} answered ${answer.status}, not ${status}: ${JSON.stringify(answer.body)}`,
  )
}

function settle(plan: Plan, answer: Answer | undefined, log: Log, sentAt: number): void {
  const answeredAt = Date.now()
  const write = (outcome: Entry['outcome'], changes: Change[]) => {
    if (changes.length > 0) log.entries.push({ outcome, changes, sentAt, answeredAt })
  }
  write('failed', plan.refused ?? [])
  log.purged.push(...(plan.purged ?? []))
  if (answer && plan.mayFailWith?.includes(answer.status)) {
    write('failed', plan.changes)
    return
  }
  write(answer ? 'ok' : 'unknown', plan.changes)
  if (!answer) {
    plan.doubted()
    return
  }
  if (answer.isRepeated) log.repeated++
  requireStatus(plan, answer)
  plan.carriedOut(answer.body)
}

/** Resolves when the writer was stopped and its last request has ended. */
export async function runWriter(options: Options): Promise<void> {
  const { org, gate, log, stop } = options
  const hand = newHand(options)
  while (!stop.aborted) {
    const plan = nextPlan(hand)
    const idempotencyKey = hand.random.chance(KEYED) ? hand.mark() : undefined
    const sentAt = Date.now()
    const answer = await ask(gate, plan.request, { apiKey: org.key, idempotencyKey })
    settle(plan, answer, log, sentAt)
    await delay(hand.random.integer(0, THINK_MS))
  }
}
