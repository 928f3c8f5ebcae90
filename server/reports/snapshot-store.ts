// Statements of a running report: one snapshot, with limits.
import sql, { raw } from 'sql-template-tag'
import type { Db } from '../db/pool.ts'
import type { ReportPlan } from './plan/plan.ts'

/** The process of the session. */
export const selectProcess = (tx: Db) => tx.value<number>(sql`select pg_backend_pid() as pid`)

/** @returns whether no other node runs a report of the organization; held to the end of the transaction */
export const lockOrganization = (tx: Db, org: number): Promise<boolean> =>
  tx.value<boolean>(
    sql`select pg_try_advisory_xact_lock(hashtextextended('report of ' || ${org}::int, 0)) as taken`,
  )

export const selectTimeZone = (tx: Db, org: number): Promise<string> =>
  tx.value<string>(sql`select time_zone as "timeZone" from organizations where org = ${org}`)

interface Explained {
  'QUERY PLAN': [{ Plan: { 'Total Cost': number } }]
}

/** The estimated cost of the statement; a million records are about 200,000. */
export async function estimateCost(tx: Db, { statement }: Pick<ReportPlan, 'statement'>): Promise<number> {
  const {
    'QUERY PLAN': [{ Plan }],
  } = await tx.one<Explained>(sql`explain (format json) ${statement}`)
  return Plan['Total Cost']
}

/** A small page, because a record can be large. */
const PAGE = 100

export async function* readSnapshotRows(
  tx: Db,
  { statement }: Pick<ReportPlan, 'statement'>,
): AsyncGenerator<Record<string, string | null>[]> {
  await tx.run(sql`declare report no scroll cursor for ${statement}`)
  for (;;) {
    const page = await tx.many<Record<string, string | null>>(sql`fetch ${raw(String(PAGE))} from report`)
    yield page
    if (page.length < PAGE) return
  }
}

/** Cancels the statement of the session, because the client has disconnected. */
export const cancelSession = (db: Db, pid: number) => db.run(sql`select pg_cancel_backend(${pid}::int)`)
