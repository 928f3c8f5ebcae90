// Every statement about confirmed email addresses and the links that confirm them.
import sql from 'sql-template-tag'
import type { Db } from '../db/pool.ts'

const VERIFICATION_HOURS = 24

interface NewLink {
  tokenHash: Buffer
  userId: string
  email: string
}

export const isVerified = async (db: Db, userId: string): Promise<boolean> =>
  (await db.maybeValue<boolean>(sql`select email_verified as verified from users where id = ${userId}`)) ??
  false

/** Makes requests for links of one user wait for each other. */
export const lockUser = (tx: Db, userId: string) =>
  tx.run(sql`select from users where id = ${userId} for no key update`)

/** Links sent within the last hour, and in how many seconds the oldest of them is an hour old. */
export const countLinks = (db: Db, userId: string) =>
  db.one<{ links: number; secondsLeft: number }>(sql`
    select count(*)::int as links,
      greatest(1, ceil(extract(epoch from min(sent_at) + interval '1 hour' - now())))::int as "secondsLeft"
    from email_verifications where user_id = ${userId} and sent_at > now() - interval '1 hour'`)

export const insertVerificationLink = (db: Db, { tokenHash, userId, email }: NewLink) =>
  db.run(sql`
    insert into email_verifications (token_hash, user_id, email, expires_at)
    values (${tokenHash}, ${userId}, ${email}, now() + make_interval(hours => ${VERIFICATION_HOURS}))`)

/** A link works until it expires, also more than once. @returns 0 if the link is unknown or has expired */
export const verifyByLink = (db: Db, tokenHash: Buffer) =>
  db.run(sql`
    update users u set email_verified = true, updated_at = now() from email_verifications v
    where v.token_hash = ${tokenHash} and v.expires_at > now() and u.id = v.user_id and u.email = v.email`)

export const verifyUser = (db: Db, userId: string) =>
  db.maybeOne<{ email: string }>(
    sql`update users set email_verified = true, updated_at = now() where id = ${userId} returning email`,
  )

/** @returns 0 if there is no such user */
export const verifyEmail = (db: Db, email: string) =>
  db.run(sql`update users set email_verified = true, updated_at = now() where email = lower(${email})`)

export const deleteExpiredLinks = (db: Db, now: Date, limit: number) =>
  db.run(sql`
    delete from email_verifications where token_hash in (
      select token_hash from email_verifications where expires_at < ${now} limit ${limit})`)
