// Reports in tests: created in the dashboard, run over the API, or executed without being stored.
import sql from 'sql-template-tag'
import { expect } from 'vitest'
import type { ReportDefinition, ReportDetail, ReportResults, ReportRun } from '../../contract/reports.ts'
import type { Caller } from '../base/caller.ts'
import type { Context } from '../context.ts'
import type { Db } from '../db/pool.ts'
import type { Org } from '../test/factories.ts'
import { execute } from './execution.ts'

export const callerOf = ({ org, id, userId, keyId }: Org): Caller => ({
  ...{ org, orgId: id, userId, keyId },
  ...{ country: 'US', currency: 'USD' },
})

type Definition = Omit<ReportDefinition, 'name'>

/** The results of a definition; undefined when its estimated cost is above the limit. */
export async function resultsUnlessRefused(
  ctx: Context,
  org: Org,
  definition: Definition,
): Promise<ReportResults | undefined> {
  const outcome = await execute(ctx, callerOf(org), { definition: { name: 'Test', ...definition } })
  if (!('failure' in outcome)) return JSON.parse(outcome.results) as ReportResults
  if (outcome.failure.startsWith('The report would read too much')) return undefined
  return expect.fail(`${outcome.failure} ${JSON.stringify(outcome.problems)}`)
}

export async function resultsOf(ctx: Context, org: Org, definition: Definition): Promise<ReportResults> {
  const results = await resultsUnlessRefused(ctx, org, definition)
  return results ?? expect.fail('The report would read too much')
}

let made = 0

export async function makeReport(
  org: Org,
  definition: Partial<ReportDefinition> = {},
): Promise<ReportDetail> {
  const owner = await org.member('owner')
  const whole = {
    name: `Report ${++made}`,
    source: { objectId: 'deals', alias: 'deal' },
    measures: [{ key: 'deals', op: 'count' }],
    ...definition,
  }
  const reply = await owner.post<ReportDetail>('/reports', { definition: whole })
  expect(reply.status, JSON.stringify(reply.body)).toBe(201)
  return reply.body
}

export async function run(org: Org, reportId: string): Promise<ReportRun> {
  const reply = await org.post<{ run: ReportRun }>(`/reports/${reportId}/run`)
  expect(reply.status, JSON.stringify(reply.body)).toBe(201)
  return reply.body.run
}

export async function createRecords(org: Org, object: string, rows: readonly object[]): Promise<string[]> {
  const ids: string[] = []
  for (let from = 0; from < rows.length; from += 100) {
    const records = rows.slice(from, from + 100).map((data) => ({ data }))
    const { body } = await org.post<{ results: { id: string }[]; failed: unknown[] }>(
      `/objects/${object}/records/bulk`,
      { records },
    )
    expect(body.failed).toEqual([])
    ids.push(...body.results.map(({ id }) => id))
  }
  return ids
}

/** Resolves when another session waits for a lock of this transaction. */
export async function untilAwaited(tx: Db): Promise<void> {
  // pg_stat_activity would not work: a transaction always sees its first state.
  const waiting = sql`
    select from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))`
  while ((await tx.many(waiting)).length === 0);
}
