// Numbered migrations, applied once each, in order, forward only. Knows no table but its own.
import { setTimeout as delay } from 'node:timers/promises'
import sql, { raw } from 'sql-template-tag'
import { errorCode, isLocked } from '../base/error-code.ts'
import type { Migration } from './migration-files.ts'
import type { Db } from './pool.ts'
import { belongsToNewer, type SchemaState, schemaState } from './schema-state.ts'

/** A database this version cannot run on; the message says what to do. */
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
 * Of the transactions that have used a table, the one that has been open for the longest time; undefined where others may
 * not be seen.
 */
export interface Blocker {
  pid: number
  application: string
  seconds: number
}

/** What a migration reports while it runs. */
export interface MigrationListener {
  /** What is to be applied, before that begins. */
  onPending?(names: string[]): void
  /** What a newer version has applied, and this one works with. */
  onNewer?(names: readonly string[]): void
  /** Tables are in use; it is tried again. */
  onBlocked?(blocker: Blocker | undefined): void
}

const namesOf = (migrations: readonly Migration[]) => migrations.map(({ name }) => name)

/** @param patience how long to wait for each lock, in times of deadlock_timeout */
async function begin(tx: Db, patience: number): Promise<void> {
  // A new index on a big table takes longer than any request may.
  await tx.takeAnyTime()
  await tx.run(sql`select pg_advisory_xact_lock(7402155390210)`)
  await tx.run(sql`
    select set_config('lock_timeout', round(setting::int * ${patience}::float8)::int::text, true)
    from pg_settings where name = 'deadlock_timeout'`)
}

/** A table from before the baseline. In a transaction that ends first: probes of other processes read it. */
const widenTable = (db: Db, patience: number) =>
  db.transaction(async (tx) => {
    await begin(tx, patience)
    await tx.run(sql`
      alter table if exists schema_migrations
        add column if not exists reads_from int, add column if not exists writer int`)
  })

/** In its own transaction: no migration holds the locks of another. @returns its name; undefined: all are applied */
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

// Statements that need a table queue behind a migration that waits for it, so it waits for a moment only. Less than
// deadlock_timeout: a statement that waits for the migration in turn is never the one that is ended.
const BRIEF = 0.5
/**
 * Each fourth time: PostgreSQL ends an autovacuum that has blocked a statement for deadlock_timeout. Longer with each of
 * them: on a busy database one request follows the other.
 */
const LONG = 1.5
const LONG_MAX = 15
const LONG_EVERY = 4

/** In times of deadlock_timeout. @param tries 1: the first */
export const patienceOf = (tries: number): number =>
  tries % LONG_EVERY === 0 ? Math.min((tries / LONG_EVERY) * LONG, LONG_MAX) : BRIEF

const PAUSE_MS = 500
const PAUSE_MAX_MS = 5000
/** The third time, and then about twice a minute. */
const isReported = (tries: number) => tries === 3 || tries % 6 === 0

const DEADLOCK = '40P01'
const isInUse = (error: unknown) => isLocked(error) || errorCode(error) === DEADLOCK

/** Relations with lower numbers are PostgreSQL's own. */
const FIRST_OWN_RELATION = 16_384

/** No other migration that waits for its turn, and no transaction that has only begun. */
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

/** Lets others use the tables between two attempts. */
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

/** @throws MigrationError also on a database that can only be read: no older version is started there by mistake */
function requireWritable(state: SchemaState): SchemaState {
  const { newer, mayWrite } = requireReadable(state)
  if (!mayWrite) throw new MigrationError(belongsToNewer(newer.at(-1), ', and takes no changes of this one'))
  return state
}

/**
 * Brings the schema up to date; processes that start together wait for each other. When one fails, those before it stay
 * applied.
 * @returns the names applied, none when the schema was current
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
