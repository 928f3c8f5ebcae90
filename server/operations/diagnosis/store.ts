// Facts about the database, and counts of work that is stuck.
import sql from 'sql-template-tag'
import type { Db } from '../../db/pool.ts'
import { selectIdleSeconds } from '../../jobs/due-times.ts'
import { selectStuckJobs } from '../../jobs/stuck-jobs.ts'
import { selectBacklog } from '../../records/engine/maintenance/overview-store.ts'
import { countStuckDeliveries as countStuckWebhooks } from '../../webhooks/delivery/sweeper-store.ts'
import { countStuckRuns } from '../../workflows/engine/sweeper-store.ts'
import type { StuckWork } from './work.ts'

export interface DatabaseFacts {
  version: string
  /** The version as a number: 180004. */
  versionNumber: number
  bytes: number
}

export const selectDiagnosisFacts = (db: Db) =>
  db.one<DatabaseFacts>(sql`
    select current_setting('server_version') as version,
      current_setting('server_version_num')::int as "versionNumber",
      pg_database_size(current_database()) as bytes`)

/** Objects that the worker has not seen yet have the time `infinity`, and are not counted. */
const countUnpurged = (db: Db) =>
  db.one<{ count: number }>(sql`
    select count(*) from (
      select deleted_at from attributes where deleted_at is not null
      union all select deleted_at from objects where deleted_at is not null) as deleted
    where deleted_at < now() - interval '1 hour'`)

/** Endpoints with due deliveries that no worker has taken. */
const countLateEndpoints = (db: Db) =>
  db.value<number>(sql`
    select count(*) from webhook_lanes
    where due_at < now() - interval '1 minute' and leased_until < now() and not_before < now()`)

const countFailingMailboxes = (db: Db) =>
  db.value<number>(sql`select count(*) from inboxes where mail_failures >= 3`)

const countStrayEvents = (db: Db) =>
  db.one<{ count: number }>(sql`select count(*) from (select from events_other limit 1000000) as stray`)

const selectDatabaseSeconds = (db: Db) =>
  db.value<number>(sql`
    select extract(epoch from clock_timestamp() - pg_postmaster_start_time())::float8 as seconds`)

const oldestTransaction = (db: Db) =>
  db.one<{ seconds: number }>(sql`
    select coalesce(extract(epoch from max(now() - xact_start)), 0)::float8 as seconds
    from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`)

export async function selectStuckWork(db: Db): Promise<StuckWork> {
  const [jobs, webhooks, runs] = [
    await selectStuckJobs(db),
    await countStuckWebhooks(db),
    await countStuckRuns(db),
  ]
  return {
    idleSeconds: await selectIdleSeconds(db),
    databaseSeconds: await selectDatabaseSeconds(db),
    unpurged: (await countUnpurged(db)).count,
    failedJobs: jobs.failed,
    waitingJobs: jobs.waiting,
    lateEvents: webhooks.undispatched,
    lateEndpoints: webhooks.forgottenQueues + (await countLateEndpoints(db)),
    lateRuns: runs.runs,
    unfoldedSeconds: (await selectBacklog(db)).oldestSeconds,
    strayEvents: (await countStrayEvents(db)).count,
    failingMailboxes: await countFailingMailboxes(db),
    oldestTransactionSeconds: (await oldestTransaction(db)).seconds,
  }
}
