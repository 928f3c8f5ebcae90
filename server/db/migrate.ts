// Applies numbered migrations, once each, in order, forward only. Uses no table but schema_migrations.
import { setTimeout as delay } from 'node:timers/promises'
import sql, { raw } from 'sql-template-tag'
import { errorCode, isLocked } from '../base/error-code.ts'
import type { Migration } from './migration-files.ts'
import type { Db } from './pool.ts'
import { belongsToNewer, type SchemaState, schemaState } from './schema-state.ts'

/** This version cannot use the database; the message says what to do. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError'
}

function requireReadable(state: SchemaState): SchemaState {
  if (state.unusable !== undefined) throw new MigrationError(state.unusable)
  return state
}

/** Migrations not yet applied. @throws MigrationError when this version cannot use the database */
export const pendingMigrations = async (db: Db): Promise<readonly Migration[]> =>
  requireReadable(await schemaState(db)).pending

/**
 * The longest open transaction among those that have used a table.
 */
export interface Blocker {
  pid: number
  application: string
  seconds: number
}

/** Callbacks for the progress of migrations. */
export interface MigrationListener {
  /** Called before the start, with the names of migrations to apply. */
  onPending?(names: string[]): void
  /** Called with the names of migrations of a newer version, whose schema this version can use. */
  onNewer?(names: readonly string[]): void
  /** Called when tables are in use, before another try. Undefined: no transaction found, or the role may not see it. */
  onBlocked?(blocker: Blocker | undefined): void
}

const namesOf = (migrations: readonly Migration[]) => migrations.map(({ name }) => name)

/** @param patience how long to wait for each lock, as a multiple of deadlock_timeout */
async function begin(tx: Db, patience: number): Promise<void> {
  // A new index on a large table takes longer than the time limit of requests.
  await tx.takeAnyTime()
  await tx.run(sql`select pg_advisory_xact_lock(7402155390210)`)
  await tx.run(sql`
    select set_config('lock_timeout', round(setting::int * ${patience}::float8)::int::text, true)
    from pg_settings where name = 'deadlock_timeout'`)
}

/** Adds columns to a table from before the baseline. A short transaction, since probes of other processes read it. */
const widenTable = (db: Db, patience: number) =>
  db.transaction(async (tx) => {
    await begin(tx, patience)
    await tx.run(sql`
      alter table if exists schema_migrations
        add column if not exists reads_from int, add column if not exists writer int`)
  })

/** In a separate transaction: no migration holds the locks of another. @returns its name; undefined: all are applied */
const applyNext = (db: Db, patience: number): Promise<string | undefined> =>
  db.transaction(async (tx) => {
    await begin(tx, patience)
    await tx.run(sql`create table if not exists schema_migrations (
      version int primary key, name text not null, checksum text not null,
      applied_at timestamptz not null default now(), reads_from int, writer int)`)
    const [next] = await pendingMigrations(tx)
    if (!next) return undefined
    const { version, name, text, checksum, readsFrom, writer } = next
    await tx.run(raw(text))
    await tx.run(sql`
      insert into schema_migrations (version, name, checksum, reads_from, writer)
      values (${version}, ${name}, ${checksum}, ${readsFrom}, ${writer})`)
    return name
  })

// Other statements queue behind a migration that waits for a lock on their table, so the wait is short. It is shorter
// than deadlock_timeout: in a deadlock the migration gives up before PostgreSQL ends the other statement.
const BRIEF = 0.5
/**
 * The first long wait, for each fourth try: PostgreSQL ends an autovacuum that has blocked a statement for
 * deadlock_timeout. Each long wait is longer than the last, since a busy database has requests all the time.
 */
const LONG = 1.5
const LONG_MAX = 15
const LONG_EVERY = 4

/** A multiple of deadlock_timeout. @param tries 1: the first try */
export const patienceOf = (tries: number): number =>
  tries % LONG_EVERY === 0 ? Math.min((tries / LONG_EVERY) * LONG, LONG_MAX) : BRIEF

const PAUSE_MS = 500
const PAUSE_MAX_MS = 5000
/** Reports at the third try, and then about twice a minute. */
const isReported = (tries: number) => tries === 3 || tries % 6 === 0

const DEADLOCK = '40P01'
const isInUse = (error: unknown) => isLocked(error) || errorCode(error) === DEADLOCK

/** Relations with lower numbers belong to PostgreSQL itself. */
const FIRST_OWN_RELATION = 16_384

/** Excludes other waiting migrations, and transactions that have used no table. */
const selectBlocker = (db: Db) =>
  db.maybeOne<Blocker>(sql`
    select pid, coalesce(nullif(application_name, ''), backend_type) as application,
      extract(epoch from now() - xact_start)::int as seconds
    from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null
      and pid in (
        select pid from pg_locks
        where granted and relation >= ${FIRST_OWN_RELATION}
          and database = (select oid from pg_database where datname = current_database()))
    order by xact_start limit 1`)

/** Retries while tables are in use. Other transactions can use them between two tries. */
async function patiently<Result>(
  db: Db,
  { onBlocked }: MigrationListener,
  work: (db: Db, patience: number) => Promise<Result>,
): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await work(db, patienceOf(tries))
    } catch (error) {
      if (!isInUse(error)) throw error
      if (isReported(tries)) onBlocked?.(await selectBlocker(db))
      await delay(Math.min(tries * PAUSE_MS, PAUSE_MAX_MS))
    }
  }
}

/** @throws MigrationError also if this version may only read: an older version must not be started there by mistake */
function requireWritable(state: SchemaState): SchemaState {
  const { newer, mayWrite } = requireReadable(state)
  if (!mayWrite) throw new MigrationError(belongsToNewer(newer.at(-1), ', and takes no changes of this one'))
  return state
}

/**
 * Applies all pending migrations. Processes that start at the same time wait for each other. When a migration fails,
 * the migrations before it stay applied.
 * @returns the names of applied migrations; empty if the schema was current
 */
export async function migrate(db: Db, listener: MigrationListener = {}): Promise<string[]> {
  const { pending, newer } = requireWritable(await schemaState(db))
  if (newer.length > 0) listener.onNewer?.(newer)
  if (pending.length === 0) return []
  listener.onPending?.(namesOf(pending))
  await patiently(db, listener, widenTable)
  const applied: string[] = []
  for (;;) {
    const name = await patiently(db, listener, applyNext)
    if (name === undefined) return applied
    applied.push(name)
  }
}
