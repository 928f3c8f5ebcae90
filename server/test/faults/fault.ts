// Faults, and the checks of each: answers arrive in time, and afterwards the whole pool is usable.
import { setTimeout as delay } from 'node:timers/promises'
import { Pool } from 'undici'
import { expect } from 'vitest'
import { deliverEverything } from '../ledger/state.ts'
import { judge } from '../ledger/verdict.ts'
import { IS_LONG, SEED } from './options.ts'
import { DEADLINE_SECONDS, namedBy, probe, type Stage } from './stage.ts'

export interface Fault<On extends Stage> {
  name: string
  /** The check that /readyz names during the fault; unset: the fault ends immediately, or stops nothing. */
  named?: string
  /** Some requests get 503 during the fault, because it lasts longer than their retries (db/retry.ts). */
  refuses?: true
  begin(stage: On): Promise<void>
  /** @throws if the fault had no effect */
  end(stage: On): Promise<void>
}

/** Longer than a request may take, so that some requests reach the deadline. */
export const LASTS_MS = IS_LONG ? 60_000 : 7000
/** Additional time on a machine that is busy with other tests. */
const SLOW_MS = 10_000
export const REST_MS = 120_000
const REQUESTS = 24

/** Sends more requests at a time than there are connections. @returns their statuses */
export async function useWholePool({ life, world }: Stage): Promise<number[]> {
  const pool = new Pool(life.address, { connections: REQUESTS })
  const authorization = `Bearer ${world.orgs[0]?.key}`
  const one = async () => {
    const { statusCode, body } = await pool.request({
      ...{ method: 'GET', path: '/api/v1/objects/companies/records', headers: { authorization } },
    })
    await body.dump()
    return statusCode
  }
  try {
    return await Promise.all(Array.from({ length: REQUESTS }, one))
  } finally {
    await pool.close()
  }
}

export const ALL_ANSWERED = Array(REQUESTS).fill(200)

export const isReady = async ({ life }: Stage) => (await probe(life.address, '/readyz')).status

async function last({ life }: Stage, named: string | undefined): Promise<void> {
  const until = performance.now() + LASTS_MS
  if (named !== undefined)
    await expect
      .poll(async () => namedBy(await probe(life.address, '/readyz')), { timeout: LASTS_MS })
      .toContain(named)
  await delay(Math.max(0, until - performance.now()))
}

export async function endure<On extends Stage>(stage: On, fault: Fault<On>): Promise<void> {
  stage.gate.times()
  const beganAt = performance.now()
  await fault.begin(stage)
  await last(stage, fault.named).finally(() => fault.end(stage))
  const endedAt = performance.now()
  await expect.poll(() => isReady(stage), { interval: 100 }).toBe(200)
  await expect.poll(() => useWholePool(stage), { interval: 100 }).toEqual(ALL_ANSWERED)
  const { slowestMs, statuses, lastRefusedAt } = stage.gate.times()
  const [slowest, lastRefused, well] = [slowestMs, lastRefusedAt - beganAt, performance.now() - endedAt].map(
    Math.round,
  )
  process.stdout.write(
    `faults: ${fault.name}: ${JSON.stringify(statuses)}, slowest ${slowest} ms, last 5xx ${lastRefusedAt === 0 ? 'never' : `${lastRefused} ms after its begin`}, well ${well} ms after its end\n`,
  )
  expect(slowestMs).toBeLessThan(DEADLINE_SECONDS * 1000 + SLOW_MS)
  // A 500 is a defect; 0 is a broken connection.
  expect(Object.keys(statuses)).not.toContain('500')
  expect(Object.keys(statuses)).not.toContain('0')
  if (fault.refuses) expect(Object.keys(statuses)).toContain('503')
}

/** Ends the load, and waits until all its events are delivered. */
export async function deliverAll(stage: Stage): Promise<void> {
  await stage.rest()
  stage.inbox.recover()
  await deliverEverything(stage.db, REST_MS)
}

export async function settleAccounts(stage: Stage, expected?: RegExp): Promise<void> {
  const { db, world, inbox, log } = stage
  await deliverAll(stage)
  const verdict = await judge({ db, hooks: world.hooks, inbox, log })
  process.stdout.write(`faults: seed ${SEED}, ${JSON.stringify(verdict.figures)}\n`)
  const found = verdict.faults.filter((fault) => !expected?.test(fault))
  expect({ count: found.length, first: found.slice(0, 20) }).toEqual({ count: 0, first: [] })
}
