// bench duplicates: how long a search for duplicates takes, and how much it slows another organization.
import { setTimeout as delay } from 'node:timers/promises'
import sql from 'sql-template-tag'
import type { DuplicateSearch } from '../../contract/duplicates.ts'
import type { Caller } from '../../server/base/caller.ts'
import type { Context } from '../../server/context.ts'
import { seedRecords } from '../../server/demo/seed.ts'
import { waitUntilIndexed } from '../../server/records/engine/maintenance/finish.ts'
import type { Bench, BenchOptions } from '../harness/bench.ts'
import { median, type Row } from '../harness/figures.ts'
import type { Lab } from '../harness/lab.ts'
import { allowed, atMost, reported } from '../harness/rows.ts'
import { attach, startService } from '../harness/service.ts'
import { timed } from '../harness/timed.ts'
import { makeOrganization, type NewOrganization } from '../http/fixture.ts'
import { during, openMeanwhile, usual } from '../meanwhile/meanwhile.ts'

const QUICK_RECORDS = 50_000
/** A million people have 5,000 companies, the maximum that `rapport seed` refers to. */
const PEOPLE_PER_COMPANY = 200
const MILLION = 1_000_000
const MINUTES_MAX = 5
const P99_TIMES_MAX = 2
const SEED = 7
const LOOK_EVERY_MS = 200

const ownerOf = async ({ db }: Context, org: number): Promise<Caller> => ({
  ...(await db.one<Omit<Caller, 'keyId'>>(sql`
    select o.org, o.id as "orgId", o.country, o.currency, m.user_id as "userId"
    from organizations o join members m on m.organization_id = o.id where o.org = ${org}`)),
  keyId: null,
})

/** Makes records as `rapport seed` does. Names come from lists, so people of one company can have similar names. */
async function fill(ctx: Context, { people: { org } }: NewOrganization, records: number): Promise<void> {
  const caller = await ownerOf(ctx, org)
  const counts = { companies: Math.ceil(records / PEOPLE_PER_COMPANY), people: records }
  for (const [objectRef, count] of Object.entries(counts)) {
    const { created } = await seedRecords(ctx, caller, { objectRef, records: count, seed: SEED })
    if (created !== count) throw new Error(`Only ${created} of ${count} ${objectRef} were made`)
  }
}

function clientOf(url: string, key: string) {
  const ask = async <Answer>(method: string, path: string): Promise<Answer> => {
    const headers = { authorization: `Bearer ${key}` }
    const response = await fetch(`${url}/api/v1/objects/people/${path}`, { method, headers })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text.slice(0, 300)}`)
    return JSON.parse(text) as Answer
  }
  return {
    /** Resolves when the search is completed. */
    async search(): Promise<void> {
      await ask('POST', 'duplicate-search')
      for (;;) {
        const { search } = await ask<{ search: DuplicateSearch }>('GET', 'duplicate-search')
        if (search.state === 'completed') return
        if (search.state === 'cancelled') throw new Error(`It was cancelled after ${search.seen} records`)
        await delay(LOOK_EVERY_MS)
      }
    },
    countGroups: async () =>
      (await ask<{ pagination: { total: number } }>('GET', 'duplicates?limit=1')).pagination.total,
  }
}

async function run(lab: Lab, { isQuick, records, rounds }: BenchOptions): Promise<Row[]> {
  const service = await startService(lab)
  const { ctx, close } = await attach(lab, service)
  lab.onClose(close)
  const busy = await makeOrganization(ctx, 0)
  const meanwhile = await openMeanwhile(lab, service, ctx)
  const people = isQuick ? QUICK_RECORDS : records
  await fill(ctx, busy, people)
  for (const object of [busy.companies, busy.people]) await waitUntilIndexed(ctx, object)
  const baseline = await usual(meanwhile, rounds)
  const client = clientOf(service.url, busy.keys[0] ?? '')
  const took = { seconds: 0 }
  const p99Ms = await during(meanwhile, async () => {
    took.seconds = (await timed(client.search)).seconds
  })
  return [
    allowed(
      'a search through a million people',
      'minutes',
      ((took.seconds / 60) * MILLION) / people,
      MINUTES_MAX,
    ),
    reported('groups that it found', 'groups', await client.countGroups()),
    atMost(
      { case: 'a list during the search', unit: 'ms p99', ours: median(p99Ms), limit: baseline },
      P99_TIMES_MAX,
    ),
  ]
}

export const duplicatesBench: Bench = {
  name: 'duplicates',
  summary: 'how long a search for duplicates takes, and what others feel meanwhile',
  run,
}
