// Every statement about attempts to sign in.
import sql from 'sql-template-tag'
import type { Db } from '../db/pool.ts'

/** Attempts for one account from one address count together. */
interface AttemptKey {
  account: Buffer
  /** Empty: attempts from all addresses. */
  address: string
}

/** How the delay grows: none for the first `free` failures, then `firstSeconds`, doubled by each, up to `mostSeconds`. */
export interface Growth {
  free: number
  firstSeconds: number
  mostSeconds: number
}

const FORGOTTEN_AFTER = sql`interval '1 day'`
/** How long an address is remembered from which a sign-in to the account succeeded. */
const KNOWN_FOR = sql`interval '90 days'`
/** With more doublings, a delay would not fit into an interval. */
const DOUBLINGS_MAX = 20

/**
 * Counts an attempt as failed before its password is checked, so that concurrent attempts do not all pass.
 * @returns undefined: the account is blocked, and the attempt does not count
 */
export const countAttempt = (
  tx: Db,
  { account, address }: AttemptKey,
  { free, firstSeconds, mostSeconds }: Growth,
) =>
  tx.maybeOne<{ isKnown: boolean }>(sql`
    insert into sign_in_attempts as a (account, address, failures) values (${account}, ${address}, 1)
    on conflict (account, address) do update set
      failures = case when a.last_at < now() - ${FORGOTTEN_AFTER} then 1 else a.failures + 1 end,
      blocked_until = case when a.last_at >= now() - ${FORGOTTEN_AFTER} and a.failures + 1 >= ${free}::int
        then now() + make_interval(secs => least(${mostSeconds}::float8,
          ${firstSeconds}::float8 * 2 ^ least(a.failures + 1 - ${free}::int, ${DOUBLINGS_MAX}::int))) end,
      last_at = now()
    where a.blocked_until is null or a.blocked_until <= now()
    returning coalesce(entered_at > now() - ${KNOWN_FOR}, false) as "isKnown"`)

/** Seconds until the next attempt; at least 1. */
export const getWait = async (tx: Db, { account, address }: AttemptKey): Promise<number> =>
  (await tx.maybeValue<number>(sql`
    select greatest(1, ceil(extract(epoch from blocked_until - now())))::int as seconds
    from sign_in_attempts where account = ${account} and address = ${address}`)) ?? 1

/** After a sign-in from this address: forgets the failures, and remembers the address as known. */
export const markEntered = (tx: Db, { account, address }: AttemptKey) =>
  tx.run(sql`
    insert into sign_in_attempts (account, address, failures, entered_at) values (${account}, ${address}, 0, now())
    on conflict (account, address) do update set
      failures = 0, blocked_until = null, last_at = now(), entered_at = now()`)

export const deleteAttemptsFromAnywhere = (tx: Db, account: Buffer) =>
  tx.run(sql`delete from sign_in_attempts where account = ${account} and address = ''`)

export const deleteAttempts = (tx: Db, account: Buffer) =>
  tx.run(sql`delete from sign_in_attempts where account = ${account}`)

/** Removes rows whose failures no longer count and whose address is no longer known. */
export const deleteOldAttempts = (db: Db, now: Date, limit: number) =>
  db.run(sql`
    delete from sign_in_attempts where (account, address) in (
      select account, address from sign_in_attempts
      where last_at < ${now}::timestamptz - ${FORGOTTEN_AFTER}
        and (entered_at is null or entered_at < ${now}::timestamptz - ${KNOWN_FOR}) limit ${limit})`)
