// The current activity of the databases of a cluster, printed when an answer takes long.
import sql from 'sql-template-tag'
import type { LedgerDatabase } from './cluster.ts'

const linesOf = ({ name, pool }: LedgerDatabase) =>
  pool.many<{ line: string }>(sql`
    select concat_ws(' ', ${name}::text, pid, state, wait_event, extract(epoch from clock_timestamp() - xact_start)::int,
      's, blocked by', pg_blocking_pids(pid)::text, left(regexp_replace(query, '\\s+', ' ', 'g'), 160)) as line
    from pg_stat_activity
    where datname = current_database() and state <> 'idle' and pid <> pg_backend_pid()
    order by xact_start`)

/** Whether a statement in one of the databases waits for a lock of a table, the only lock that can block a read. */
export async function hasLockWaits(databases: readonly LedgerDatabase[]): Promise<boolean> {
  const waits = databases.map(({ pool }) =>
    pool.value<boolean>(sql`
      select exists (select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
        and wait_event = 'relation')`),
  )
  return (await Promise.all(waits)).includes(true)
}

/** A line for each connection in use. */
export async function describeActivity(databases: readonly LedgerDatabase[]): Promise<string> {
  const described = databases.map((database) =>
    linesOf(database).catch((error: unknown) => [{ line: `${database.name}: ${error}` }]),
  )
  return (await Promise.all(described))
    .flat()
    .map(({ line }) => `  ${line}\n`)
    .join('')
}
