// Steps and runs per second, compared with the same statements without an engine.
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import sql from 'sql-template-tag'
import type { Caller } from '../../server/base/caller.ts'
import type { Context } from '../../server/context.ts'
import { type BenchOptions, profileFlags } from '../harness/bench.ts'
import { ask, startPartner } from '../harness/child.ts'
import { compare, type Row } from '../harness/figures.ts'
import type { Lab } from '../harness/lab.ts'
import type { Service } from '../harness/service.ts'
import { addRuns, type Customer, countOpenOf, creating, makeCustomer, makeWorkflow } from './fixture.ts'
import type { Limit } from './limit-process.ts'

const LIMIT = fileURLToPath(new URL('./limit-process.ts', import.meta.url))
const TARGET = 0.4
/** With the default size of the pool, the engine uses this number of concurrent transactions. */
const CONCURRENCY = 6
/** Several, so that the limit of one organization does not bound the result. */
const CUSTOMERS = 3
const LOOK_MS = 20

/** Approximate rates, to choose the number of runs. */
const PER_SECOND = { steps: 400, runs: 200 }

interface Case {
  name: string
  /** Steps of each run. */
  steps: number
  unit: 'steps' | 'runs'
}

const CASES: readonly Case[] = [
  { name: 'steps of runs of twenty', steps: 20, unit: 'steps' },
  { name: 'runs of one step', steps: 1, unit: 'runs' },
]

interface Side {
  customer: Customer
  workflow: string
}

/** Starts a run through the API, which wakes the engine. Otherwise it would find other runs up to a second later. */
async function startRun({ url }: Service, { customer, workflow }: Side): Promise<void> {
  const response = await fetch(`${url}/api/v1/workflows/${workflow}/run`, {
    method: 'POST',
    headers: { authorization: `Bearer ${customer.key}`, 'content-type': 'application/json' },
    body: '{"data":{}}',
  })
  if (!response.ok) throw new Error(`The service answered ${response.status}: ${await response.text()}`)
}

/** @returns runs per second */
async function execute({ ctx, service }: Measured, sides: readonly Side[], runs: number): Promise<number> {
  const workflows = sides.map(({ workflow }) => workflow)
  const each = Math.ceil(runs / sides.length)
  await Promise.all(sides.map(({ customer, workflow }) => addRuns(ctx.db, customer, workflow, each - 1)))
  const startedAt = performance.now()
  await Promise.all(sides.map((side) => startRun(service, side)))
  while ((await countOpenOf(ctx.db, workflows)) > 0) await delay(LOOK_MS)
  return (each * sides.length * 1000) / (performance.now() - startedAt)
}

async function limitOf(ctx: Context, { dataDir }: Service, steps: number): Promise<Omit<Limit, 'runs'>> {
  const customer = await makeCustomer(ctx)
  // The limit's runs are due tomorrow, so that the service does not execute them.
  const workflow = await makeWorkflow(ctx, customer, { trigger: 'manual', steps: creating(steps) })
  const caller: Caller = {
    org: customer.org,
    orgId: '',
    userId: customer.userId,
    keyId: null,
    country: 'US',
    currency: 'USD',
  }
  return { dataDir, caller, workflow, steps, concurrency: CONCURRENCY }
}

async function futureRuns(
  ctx: Context,
  { caller, workflow }: Omit<Limit, 'runs'>,
  count: number,
): Promise<string[]> {
  return ctx.db.transaction(async (tx) => {
    const ids = await addRuns(tx, { org: caller.org, obj: 0, key: '', userId: '' }, workflow, count)
    await tx.run(
      sql`update workflow_runs set due_at = now() + interval '1 day' where id = any(${ids}::uuid[])`,
    )
    return ids
  })
}

async function measure(lab: Lab, measured: Measured, { name, steps, unit }: Case): Promise<Row> {
  const { ctx, service, options } = measured
  const definition = { trigger: 'manual' as const, steps: creating(steps) }
  const sides: Side[] = []
  for (let n = 0; n < CUSTOMERS; n++) {
    const customer = await makeCustomer(ctx)
    sides.push({ customer, workflow: await makeWorkflow(ctx, customer, definition) })
  }
  const partner = startPartner(lab, { name: 'The limit', file: LIMIT, flags: profileFlags(options, 'limit') })
  const limit = await limitOf(ctx, service, steps)
  const runs = Math.ceil((options.seconds * PER_SECOND[unit]) / (unit === 'steps' ? steps : 1))
  const factor = unit === 'steps' ? steps : 1
  const [ours, theirs]: [number[], number[]] = [[], []]
  for (let round = 0; round <= options.rounds; round++) {
    const some = round === 0 ? Math.ceil(runs / 5) : runs
    await ctx.db.run(sql`vacuum analyze`)
    const own = (await execute(measured, sides, some)) * factor
    const ids = await futureRuns(ctx, limit, some)
    const { elapsedMs } = await ask<{ elapsedMs: number }>(partner, { ...limit, runs: ids } satisfies Limit)
    const bound = (some * factor * 1000) / elapsedMs
    lab.tell(`  ${name}: ${Math.round(own)}/s, the limit ${Math.round(bound)}/s`)
    if (round === 0) continue
    ours.push(own)
    theirs.push(bound)
  }
  await partner.stop()
  return compare({ case: name, unit: `${unit}/s`, ours, limit: theirs, target: TARGET })
}

export interface Measured {
  ctx: Context
  service: Service
  options: BenchOptions
}

export async function measureThroughput(lab: Lab, measured: Measured): Promise<Row[]> {
  const rows: Row[] = []
  for (const one of CASES) rows.push(await measure(lab, measured, one))
  return rows
}
