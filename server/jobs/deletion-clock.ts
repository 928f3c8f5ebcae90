// The time for deletion by age. Deleted data cannot be restored, so the clock must be trusted first: it is the
// database's clock, it agrees with the clock of this process, and it has not just jumped far ahead. If a machine starts
// with a wrong clock, both clocks are equally wrong. A long stop looks the same: only waiting distinguishes the two.
import sql from 'sql-template-tag'
import type { BaseContext } from '../db/base-context.ts'
import { type ClockReading, readClocks } from '../db/clock.ts'
import type { Db } from '../db/pool.ts'
import type { ScheduledJob } from './jobs.ts'

/** Clocks that differ by more than this are not trusted. */
const DIFFERENCE_MAX_MS = 60_000
/** A time that is further ahead of the last trusted time than this is trusted after it has been steady for as long. */
export const HOLD_MS = 86_400_000

/** Milliseconds since 1970, by the database's clock. */
export interface ClockState {
  seenAt: number
  trustedAt: number
  /** null: the time is trusted. */
  heldSince: number | null
}

/** The new state after the clock was read. */
export function follow({ seenAt, trustedAt, heldSince }: ClockState, now: number): ClockState {
  const trusted = { seenAt: now, trustedAt: now, heldSince: null }
  if (now - trustedAt <= HOLD_MS) return trusted
  // The clock was set again during the wait, in either direction: the wait starts again with the new time.
  const isSteady = heldSince !== null && now >= seenAt && now - seenAt <= HOLD_MS
  if (!isSteady) return { seenAt: now, trustedAt, heldSince: now }
  return now - heldSince >= HOLD_MS ? trusted : { seenAt: now, trustedAt, heldSince }
}

const iso = (ms: number) => new Date(ms).toISOString()

/** Why the time cannot be trusted; undefined if it can. */
function refusalOf({ aheadMs }: ClockReading, { trustedAt, heldSince }: ClockState): string | undefined {
  if (Math.abs(aheadMs) > DIFFERENCE_MAX_MS)
    return `the clocks of the service and of the database differ by ${Math.round(Math.abs(aheadMs) / 1000)} s`
  if (heldSince === null) return undefined
  return `the clock jumped from ${iso(trustedAt)} to ${iso(heldSince)}, because of a long stop or a wrong clock: it is trusted from ${iso(heldSince + HOLD_MS)} on`
}

const selectState = (tx: Db) =>
  tx.one<ClockState>(sql`
    select (extract(epoch from seen_at) * 1000)::float8 as "seenAt",
      (extract(epoch from trusted_at) * 1000)::float8 as "trustedAt",
      (extract(epoch from held_since) * 1000)::float8 as "heldSince"
    from deletion_clock for update`)

const at = (ms: number | null) => (ms === null ? null : new Date(ms))

const updateState = (tx: Db, { seenAt, trustedAt, heldSince }: ClockState, refusal: string | undefined) =>
  tx.run(sql`
    update deletion_clock set seen_at = ${at(seenAt)}, trusted_at = ${at(trustedAt)}, held_since = ${at(heldSince)},
      refusal = ${refusal ?? null}, refused_at = ${refusal === undefined ? null : at(seenAt)}`)

/** The time for deletion by age, or the reason why there is none. */
export type DeletionTime = { now: Date } | { refusal: string }

/** Reads the clocks, and stores the result for the next call and for operators. */
export async function readDeletionTime({
  db,
  clock,
}: Pick<BaseContext, 'db' | 'clock'>): Promise<DeletionTime> {
  const reading = await readClocks(db, clock)
  return db.transaction(async (tx) => {
    const known = await selectState(tx)
    // A time that the two clocks disagree on does not change the state.
    const isAgreed = Math.abs(reading.aheadMs) <= DIFFERENCE_MAX_MS
    const state = isAgreed ? follow(known, reading.now.getTime()) : known
    const refusal = refusalOf(reading, state)
    await updateState(tx, state, refusal)
    return refusal === undefined ? { now: reading.now } : { refusal }
  })
}

/** Why jobs currently delete nothing by age; undefined if they do. */
export async function selectRefusal(db: Db): Promise<string | undefined> {
  const { refusal } = await db.one<{ refusal: string | null }>(sql`select refusal from deletion_clock`)
  return refusal ?? undefined
}

type Deletion<Ctx> = (ctx: Ctx, signal: AbortSignal, now: Date) => Promise<unknown>

/** A job that deletes by age: `run` receives the trusted time, and is not called without one. */
export const byAge = <Ctx>(
  name: string,
  cron: string,
  run: Deletion<Ctx>,
): ScheduledJob<Ctx & Pick<BaseContext, 'db' | 'clock' | 'log'>> => ({
  name,
  cron,
  async run(ctx, signal) {
    const time = await readDeletionTime(ctx)
    if ('now' in time) await run(ctx, signal, time.now)
    else
      ctx.log.error(
        { job: name, reason: time.refusal },
        'nothing is deleted by age until the clock is correct',
      )
  },
})
