// Notifications to be mailed. They are marked as mailed before sending, in a separate transaction: if a process is
// killed while it sends, no mail is sent twice.
import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '../db/pool.ts'
import { isHere } from '../placement/placement.ts'
import type { InboxOwner } from './inbox-store.ts'

export interface ClaimedMail extends InboxOwner {
  ids: string[]
}

/** Whether mails to the member `of` are paused, after a failed mail or a used-up quota. */
const isResting = (of: Sql, now: Date): Sql => sql`exists (
  select from inboxes i where i.org = ${of}.org and i.user_id = ${of}.user_id and i.mail_after > ${now}::timestamptz)`

/** Numbers the members of each organization: sorted by it, many unreachable members of one do not delay others. */
const turn = (of: Sql): Sql => sql`row_number() over (partition by ${of}.org order by ${of}.user_id)`

/** Notifications to be mailed immediately, of at most `limit` members. */
export const claimMails = (db: Db, now: Date, limit: number): Promise<ClaimedMail[]> =>
  db.many<ClaimedMail>(sql`
    with waiting as (
      select distinct w.org, w.user_id from notifications w
      where w.mail = 'now' and w.mailed_at is null and ${isHere(sql`w.org`)}),
    next as (
      select p.org, p.user_id from waiting p where not ${isResting(sql`p`, now)}
      order by ${turn(sql`p`)}, p.org limit ${limit}),
    claimed as (
      update notifications n set mailed_at = clock_timestamp()
      where (n.org, n.id) in (
        select w.org, w.id from next join notifications w on w.org = next.org and w.user_id = next.user_id
        where w.mail = 'now' and w.mailed_at is null for update of w skip locked)
      returning n.org, n.user_id, n.id)
    select org, user_id as "userId", array_agg(id) as ids from claimed group by org, user_id`)

export const releaseMails = (db: Db, { org, ids }: ClaimedMail): Promise<number> =>
  db.run(sql`
    update notifications set mailed_at = null where org = ${org} and id = any(${ids}::uuid[])`)

export interface ClaimedDigest extends InboxOwner {
  /** The date in the member's time zone. */
  day: string
  before: string | null
}

/** Members whose mail hour has passed today, with notifications to be mailed and no mail of this day yet. */
export const claimDigests = (db: Db, now: Date, limit: number): Promise<ClaimedDigest[]> =>
  db.many<ClaimedDigest>(sql`
    with waiting as (
      select t.org, t.user_id, local.now::date as day, ${turn(sql`t`)} as turn
      from notification_settings t join organizations o on o.org = t.org
      cross join lateral (
        select ${now}::timestamptz at time zone coalesce(t.time_zone, o.time_zone) as now) as local
      where extract(hour from local.now) >= t.digest_hour
        and (t.digest_on is null or t.digest_on < local.now::date) and ${isHere(sql`t.org`)}
        and not ${isResting(sql`t`, now)}
        and exists (
          select from notifications n
          where n.mail = 'daily' and n.mailed_at is null and n.org = t.org and n.user_id = t.user_id)),
    next as (
      select t.org, t.user_id, p.day
      from waiting p join notification_settings t on t.org = p.org and t.user_id = p.user_id
      where t.digest_on is null or t.digest_on < p.day
      order by p.turn, p.org limit ${limit} for update of t skip locked),
    claimed as (
      update notification_settings s set digest_on = next.day from next
      where s.org = next.org and s.user_id = next.user_id
      returning s.org, s.user_id as "userId", s.digest_on::text as day, old.digest_on::text as before)
    select * from claimed`)

/** Undoes the claim of a mail that was not sent: it is tried again. */
export const releaseDigest = (db: Db, { org, userId, before }: ClaimedDigest): Promise<number> =>
  db.run(sql`
    update notification_settings set digest_on = ${before}::date where org = ${org} and user_id = ${userId}`)

/** The newest notifications for a daily mail. */
export const selectDigestIds = async (
  db: Db,
  { org, userId }: InboxOwner,
  limit: number,
): Promise<string[]> =>
  (
    await db.many<{ id: string }>(sql`
      select id from notifications
      where mail = 'daily' and mailed_at is null and org = ${org} and user_id = ${userId}
      order by changed_at desc, id desc limit ${limit}`)
  ).map(({ id }) => id)

/** Marks all notifications up to the daily mail, also those that it left out. */
export const markDigested = (db: Db, { org, userId }: InboxOwner, until: Date): Promise<number> =>
  db.run(sql`
    update notifications set mailed_at = clock_timestamp()
    where mail = 'daily' and mailed_at is null and org = ${org} and user_id = ${userId}
      and changed_at <= ${until}::timestamptz`)

/** The longest pause between two mails to a member after failures, in minutes. */
const REST_MAX = 360
const FAILURES_MAX = 30

/** Doubles the pause before the next mail to the member. @returns how many mails failed in a row */
export const noteFailure = (db: Db, { org, userId }: InboxOwner, now: Date): Promise<number> =>
  db.value<number>(sql`
    insert into inboxes as i (org, user_id, mail_failures, mail_after)
    values (${org}, ${userId}, 1, ${now}::timestamptz + interval '1 minute')
    on conflict (org, user_id) do update set
      mail_failures = least(i.mail_failures + 1, ${FAILURES_MAX}::int),
      mail_after = ${now}::timestamptz
        + interval '1 minute' * least(power(2, i.mail_failures), ${REST_MAX}::int)
    returning i.mail_failures`)

/** Delays mails to the member without counting a failure of the mailbox. */
export const postpone = (
  db: Db,
  { org, userId }: InboxOwner,
  { now, minutes }: { now: Date; minutes: number },
) =>
  db.run(sql`
    insert into inboxes as i (org, user_id, mail_after)
    values (${org}, ${userId}, ${now}::timestamptz + make_interval(mins => ${minutes}::int))
    on conflict (org, user_id) do update set mail_after = excluded.mail_after`)

export const forgetFailures = (db: Db, { org, userId }: InboxOwner): Promise<number> =>
  db.run(sql`
    update inboxes set mail_failures = 0, mail_after = null
    where org = ${org} and user_id = ${userId} and mail_after is not null`)

export interface MailRecipient {
  email: string
  name: string
  orgId: string
  organization: string
  slug: string
}

/** undefined: the user is no longer a member. */
export const findRecipient = (db: Db, { org, userId }: InboxOwner): Promise<MailRecipient | undefined> =>
  db.maybeOne<MailRecipient>(sql`
    select u.email, u.name, o.id as "orgId", o.name as organization, o.slug
    from organizations o join members m on m.organization_id = o.id and m.user_id = ${userId}
    join users u on u.id = m.user_id
    where o.org = ${org}`)
