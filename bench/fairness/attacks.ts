// Attacks on resources that organizations share, one after the other, while another organization works at a steady
// pace. The heap of the service is small, so that unbounded use of memory ends the process.
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import sql from 'sql-template-tag'
import { newId } from '../../server/base/id.ts'
import type { Context } from '../../server/context.ts'
import { createKey } from '../../server/identity/api-keys/service.ts'
import type { BenchOptions } from '../harness/bench.ts'
import { ask, startPartner } from '../harness/child.ts'
import { percentile, type Row } from '../harness/figures.ts'
import type { Lab } from '../harness/lab.ts'
import { allowed, atMost } from '../harness/rows.ts'
import { attach, type Service, startService } from '../harness/service.ts'
import { openSession } from '../harness/sessions.ts'
import { makeParty, type Party } from './fixture.ts'
import { type SteadyAnswers, type SteadyKind, workSteadily } from './steady.ts'

export const ATTACK_CASES = [
  { name: 'large reads of one key', extra: [] },
  { name: 'unread answers', extra: [] },
  { name: 'slow bodies', extra: [] },
  { name: 'many keys', extra: [] },
  { name: 'half-open connections', extra: [] },
  { name: 'live streams', extra: ['stream'] },
  { name: 'slow exports', extra: ['export'] },
] as const
type AttackCase = (typeof ATTACK_CASES)[number]
export type AttackName = AttackCase['name']

/** The attacking organizations, with their keys, record and sessions. */
export interface Attackers {
  parties: Party[]
  /** API keys of the first party. */
  keys: string[]
  /** Id of a record of 250 KB of the first party. */
  largeRecord: string
  members: { slug: string; cookie: string }[]
}

const PROCESS = fileURLToPath(new URL('./attack-process.ts', import.meta.url))
const HEAP_MB = 640
/** The steady organization sends far fewer requests. */
const RATE = '6000'
const PARTIES = 7
const KEYS = 60
const MEMBERS_OF_PARTY = 20
const LARGE_TEXT = 250_000
const TIMES_MAX = 3
/** A p99 up to this is always accepted: users do not notice it, and pauses of the machine have more effect. */
const ENOUGH_MS = 25
const SECONDS = { measured: 15, quick: 3, warmUp: 3, rest: 2 }

async function addMembers(ctx: Context, { slug }: Party): Promise<Attackers['members']> {
  const one = async () => {
    const userId = newId()
    await ctx.db.run(sql`
      insert into users (id, name, email, email_verified)
      values (${userId}, 'Mallory', ${`${userId}@example.com`}, true)`)
    await ctx.db.run(sql`
      insert into members (id, organization_id, user_id, role)
      select ${newId()}, id, ${userId}, 'member' from organizations where slug = ${slug}`)
    return { slug, cookie: await openSession(ctx, userId) }
  }
  return Promise.all(Array.from({ length: MEMBERS_OF_PARTY }, one))
}

const firstPerson = (ctx: Context, slug: string) =>
  ctx.db.value<string>(sql`
    select r.id from records r join organizations o using (org) where o.slug = ${slug} limit 1`)

async function makeKeys(ctx: Context, slug: string): Promise<string[]> {
  const { org, userId } = await ctx.db.one<{ org: number; userId: string }>(sql`
    select o.org, m.user_id as "userId" from organizations o join members m on m.organization_id = o.id
    where o.slug = ${slug} and m.role = 'owner'`)
  const keys = Array.from({ length: KEYS }, (_, n) =>
    createKey(ctx, org, { name: `Key ${n}`, scopes: null, createdBy: userId }),
  )
  return (await Promise.all(keys)).map(({ key }) => key)
}

async function makeAttackers(ctx: Context): Promise<Attackers> {
  const parties: Party[] = []
  for (let n = 0; n < PARTIES; n++)
    parties.push(
      await makeParty(ctx, `attacker-${n}`, { jobTitle: 'x'.repeat(LARGE_TEXT), people: 300, steps: [] }),
    )
  const members = (await Promise.all(parties.map((party) => addMembers(ctx, party)))).flat()
  const slug = 'attacker-0'
  return { parties, members, keys: await makeKeys(ctx, slug), largeRecord: await firstPerson(ctx, slug) }
}

const sorted = (times: readonly number[] = []) => Float64Array.from(times).sort()

function rowsOf(name: string, baseline: SteadyAnswers, loaded: SteadyAnswers): Row[] {
  const kinds = Object.keys(loaded.times) as SteadyKind[]
  const rows = kinds.map((kind) => {
    const [limit, ours] = [baseline, loaded].map(({ times }) => percentile(sorted(times[kind]), 0.99))
    const figures = { ours: ours ?? 0, limit: limit ?? 0 }
    return atMost({ case: `${name}: ${kind}, p99`, unit: 'ms', ...figures }, TIMES_MAX, ENOUGH_MS)
  })
  const refused = Object.values(loaded.refused).reduce((sum, count) => sum + count, 0)
  return [...rows, allowed(`${name}: refused of the other`, 'answers', refused, 0)]
}

interface Stage {
  lab: Lab
  service: Service
  calm: Party
  attackers: Attackers
  record: string
}

async function runCase(
  { lab, service, calm, attackers, record }: Stage,
  { name, extra }: AttackCase,
  seconds: number,
): Promise<Row[]> {
  const { url } = service
  const kinds = ['GET', 'create', 'list', ...extra] as const
  // If the service ends, its own error is reported, not the connection errors of its clients.
  const work = (count: number) =>
    Promise.race([workSteadily(url, calm, { kinds, seconds: count, record }), service.child.failed])
  await work(SECONDS.rest)
  const baseline = await work(seconds)
  const attack = startPartner(lab, { name: `The attack by ${name}`, file: PROCESS })
  await ask(attack, { begin: { name, url, attackers } })
  await work(SECONDS.warmUp)
  const loaded = await work(seconds)
  const { answers } = await ask<{ answers: Record<string, number> }>(attack, { end: true })
  await attack.stop()
  lab.tell(
    `${name}: answered ${JSON.stringify(answers)}; refused of the other: ${JSON.stringify(loaded.refused)}`,
  )
  await delay(SECONDS.rest * 1000)
  return rowsOf(name, baseline, loaded)
}

export async function runAttacks(
  lab: Lab,
  cases: readonly AttackCase[],
  { isQuick }: Pick<BenchOptions, 'isQuick'>,
): Promise<Row[]> {
  const service = await startService(lab, {
    flags: [`--max-old-space-size=${HEAP_MB}`],
    env: { RATE_LIMIT_PER_MINUTE: RATE },
  })
  const { ctx, close } = await attach(lab, service)
  lab.onClose(close)
  const attackers = await makeAttackers(ctx)
  const calm = await makeParty(ctx, 'steady', { jobTitle: 'Title ', people: 1000, steps: [] })
  const stage = { lab, service, calm, attackers, record: await firstPerson(ctx, 'steady') }
  const rows: Row[] = []
  for (const one of cases)
    rows.push(...(await runCase(stage, one, isQuick ? SECONDS.quick : SECONDS.measured)))
  return rows
}
