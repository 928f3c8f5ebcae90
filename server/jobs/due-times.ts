// Keeps due times correct when the database's clock is set back. Otherwise, after a step of two hours, work that was
// due in a minute would be due in two hours and a minute. Leases, next attempts and pauses move back with the clock.
import type { Logger } from 'pino'
import sql from 'sql-template-tag'
import type { Db } from '../db/pool.ts'

/** Smaller steps, for example by NTP, do not matter for due times. */
const STEP_MIN_SECONDS = 30

/** Moves the due times of one resource back. @returns the number of moved rows */
export type MoveBack = (tx: Db, seconds: number) => Promise<number>

/**
 * Compares the database's clock with its time at the last call. It is called every minute, so it may return up to a
 * minute less than the whole step.
 * @returns by how many seconds the clock was set back; undefined if it was not
 */
const followClock = (tx: Db) =>
  tx.maybeOne<{ seconds: number | null }>(sql`
    with before as (select followed_at from deletion_clock for update)
    update deletion_clock set followed_at = clock_timestamp() from before
    returning case when clock_timestamp() < before.followed_at - make_interval(secs => ${STEP_MIN_SECONDS})
      then extract(epoch from before.followed_at - clock_timestamp())::float8 end as seconds`)

export async function moveDueTimes({ db, log }: { db: Db; log: Logger }, resources: readonly MoveBack[]) {
  const moved = await db.transaction(async (tx) => {
    const { seconds = null } = (await followClock(tx)) ?? {}
    if (seconds === null) return undefined
    let rows = 0
    for (const moveBack of resources) rows += await moveBack(tx, seconds)
    return { seconds, rows }
  })
  if (moved) log.error(moved, "the database's clock was set back: due times were moved back with it")
}

/** Seconds since a worker last followed the clock, which it does every minute. */
export const selectIdleSeconds = (db: Db) =>
  db.value<number>(sql`
    select extract(epoch from clock_timestamp() - followed_at)::float8 as seconds from deletion_clock`)
