// What the databases of a cluster do at a moment: printed when an answer takes long.
import sql from 'sql-template-tag'
import type { Place } from './cluster.ts'

const linesOf = ({ name, pool }: Place) =>
  pool.many<{ line: string }>(sql`
    select concat_ws(' ', ${name}::text, pid, state, wait_event, extract(epoch from clock_timestamp() - xact_start)::int,
      's, blocked by', pg_blocking_pids(pid)::text, left(regexp_replace(query, '\\s+', ' ', 'g'), 160)) as line
    from pg_stat_activity
    where datname = current_database() and state <> 'idle' and pid <> pg_backend_pid()
    order by xact_start`)

/** Whether a statement waits for the lock of a table in one of them: reads wait for no others. */
export async function hasLockWaits(places: readonly Place[]): Promise<boolean> {
  const waits = places.map(({ pool }) =>
    pool.value<boolean>(sql`
      select exists (select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
        and wait_event = 'relation')`),
  )
  return (await Promise.all(waits)).includes(true)
}

/** A line for each connection that is in use. */
export async function describeActivity(places: readonly Place[]): Promise<string> {
  const described = places.map((place) =>
    linesOf(place).catch((error: unknown) => [{ line: `${place.name}: ${error}` }]),
  )
  return (await Promise.all(described))
    .flat()
    .map(({ line }) => `  ${line}\n`)
    .join('')
}
