// Notifications that are to be mailed. They are marked as mailed first, in a transaction of their own: a process that is
// killed while it sends them sends none twice.
import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '../db/pool.ts'
import type { Owner } from './inbox-store.ts'

const isHere = (org: Sql): Sql => sql`not exists (
  select from organization_moves v where v.org = ${org} and v.state in ('hidden', 'closed', 'left'))`

export interface ClaimedMail extends Owner {
  ids: string[]
}

/** Notifications to be mailed at once, by their member. */
export const claimMails = (db: Db, limit: number): Promise<ClaimedMail[]> =>
  db.many<ClaimedMail>(sql`
    with claimed as (
      update notifications n set mailed_at = clock_timestamp()
      where (n.org, n.id) in (
        select w.org, w.id from notifications w
        where w.mail = 'now' and w.mailed_at is null and ${isHere(sql`w.org`)}
        order by w.org, w.user_id limit ${limit} for update skip locked)
      returning n.org, n.user_id, n.id)
    select org, user_id as "userId", array_agg(id) as ids from claimed group by org, user_id`)

export const releaseMails = (db: Db, { org, ids }: ClaimedMail): Promise<number> =>
  db.run(sql`
    update notifications set mailed_at = null where org = ${org} and id = any(${ids}::uuid[])`)

export interface ClaimedDigest extends Owner {
  /** The member's day. */
  day: string
  before: string | null
}

/** Members whose hour has come, who have something to be mailed, and no mail of this day yet. */
export const claimDigests = (db: Db, now: Date, limit: number): Promise<ClaimedDigest[]> =>
  db.many<ClaimedDigest>(sql`
    with claimed as (
      update notification_settings s set digest_on = w.day
      from (
        select t.org, t.user_id, local.now::date as day
        from notification_settings t join organizations o on o.org = t.org
        cross join lateral (
          select ${now}::timestamptz at time zone coalesce(t.time_zone, o.time_zone) as now) as local
        where extract(hour from local.now) >= t.digest_hour
          and (t.digest_on is null or t.digest_on < local.now::date) and ${isHere(sql`t.org`)}
          and exists (
            select from notifications n
            where n.mail = 'daily' and n.mailed_at is null and n.org = t.org and n.user_id = t.user_id)
        limit ${limit} for update of t skip locked) as w
      where s.org = w.org and s.user_id = w.user_id
      returning s.org, s.user_id as "userId", s.digest_on::text as day, old.digest_on::text as before)
    select * from claimed`)

/** A mail that was not sent is tried again. */
export const releaseDigest = (db: Db, { org, userId, before }: ClaimedDigest): Promise<number> =>
  db.run(sql`
    update notification_settings set digest_on = ${before}::date where org = ${org} and user_id = ${userId}`)

/** Of a daily mail, the last ones. */
export const selectDigestIds = async (db: Db, { org, userId }: Owner, limit: number): Promise<string[]> =>
  (
    await db.many<{ id: string }>(sql`
      select id from notifications
      where mail = 'daily' and mailed_at is null and org = ${org} and user_id = ${userId}
      order by changed_at desc, id desc limit ${limit}`)
  ).map(({ id }) => id)

/** All that a daily mail was about, and what it left out as read. */
export const markDigested = (db: Db, { org, userId }: Owner, until: Date): Promise<number> =>
  db.run(sql`
    update notifications set mailed_at = clock_timestamp()
    where mail = 'daily' and mailed_at is null and org = ${org} and user_id = ${userId}
      and changed_at <= ${until}::timestamptz`)

export interface Recipient {
  email: string
  name: string
  orgId: string
  organization: string
  slug: string
}

/** undefined: the user is no member any more. */
export const findRecipient = (db: Db, { org, userId }: Owner): Promise<Recipient | undefined> =>
  db.maybeOne<Recipient>(sql`
    select u.email, u.name, o.id as "orgId", o.name as organization, o.slug
    from organizations o join members m on m.organization_id = o.id and m.user_id = ${userId}
    join users u on u.id = m.user_id
    where o.org = ${org}`)
