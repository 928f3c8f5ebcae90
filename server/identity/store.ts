// Every statement about organizations and users that better-auth does not make itself.
import sql, { type Sql } from 'sql-template-tag'
import { isUuid } from '../../contract/common.ts'
import type { OrganizationPatch } from '../../contract/organization.ts'
import type { Device, SessionOrganization, SessionUser } from '../../contract/session.ts'
import { newId } from '../base/id.ts'
import type { Db } from '../db/pool.ts'
import type { Membership } from '../http/session.ts'
import { cellOf } from '../placement/placement.ts'

export interface StoredOrganization {
  /** Internal number; it never leaves the server. */
  org: number
  /** The cell of its data. */
  cell: number
  id: string
  slug: string
  name: string
  country: string
  currency: string
  timeZone: string
  /** How long deleted records are kept, in days. */
  trashDays: number
  createdAt: string
}

const columns = sql`
  org, ${cellOf(sql`organizations`)} as cell, id, slug, name, country, currency, time_zone as "timeZone",
  trash_days as "trashDays", created_at as "createdAt"`

const selectOrganizations = (condition: Sql) =>
  sql`select ${columns} from organizations where ${condition} order by created_at, id`

/** All organizations of the installation, oldest first. */
export const listOrganizations = (db: Db) => db.many<StoredOrganization>(selectOrganizations(sql`true`))

/** By id or slug; a slug never looks like an id. */
export const findOrganization = (db: Db, idOrSlug: string) =>
  db.maybeOne<StoredOrganization>(
    selectOrganizations(isUuid(idOrSlug) ? sql`id = ${idOrSlug}` : sql`slug = ${idOrSlug}`),
  )

/** Whether the database accepts the zone: it has fewer names than Node, and takes abbreviations for other zones. */
export const hasTimeZone = (db: Db, name: string): Promise<boolean> =>
  db.value<boolean>(
    sql`select exists (select from pg_timezone_names where lower(name) = lower(${name})) as known`,
  )

type OrganizationRow = Pick<
  StoredOrganization,
  'cell' | 'name' | 'slug' | 'country' | 'currency' | 'timeZone'
>

/** The new organization; undefined if the slug is taken. */
export const insertOrganization = (db: Db, row: OrganizationRow) =>
  db.maybeOne<StoredOrganization>(sql`
    insert into organizations (id, cell, name, slug, country, currency, time_zone)
    values (${newId()}, ${row.cell}, ${row.name}, ${row.slug}, ${row.country}, ${row.currency}, ${row.timeZone})
    on conflict (slug) do nothing
    returning ${columns}`)

export const countOwned = (db: Db, userId: string): Promise<number> =>
  db.value<number>(
    sql`select count(*)::int as owned from members where user_id = ${userId} and role = 'owner'`,
  )

/** Removes a user who is a member of no organization. */
export function deleteUserWithoutMemberships(db: Db, userId: string): Promise<number> {
  return db.transaction(async (tx) => {
    // The lock makes a concurrent new membership either visible to the next statement or impossible.
    await tx.run(sql`select from users where id = ${userId} for update`)
    return tx.run(sql`
      delete from users where id = ${userId}
      and not exists (select from members where user_id = ${userId})`)
  })
}

/** The user's membership in the organization with this slug; undefined if there is none. */
export const findMembership = (db: Db, userId: string, slug: string) =>
  db.maybeOne<Membership>(sql`
    select o.org, o.id as "orgId", ${cellOf(sql`o`)} as cell, o.country, o.currency, m.role, m.user_id as "userId",
      m.user_id as me, null as "keyId"
    from members m join organizations o on o.id = m.organization_id
    where m.user_id = ${userId} and o.slug = ${slug}`)

/** The organizations a user belongs to, by name. */
export const selectOrganizationsOf = (db: Db, userId: string) =>
  db.many<SessionOrganization>(sql`
    select o.id, o.slug, o.name, m.role, o.country, o.currency, o.time_zone as "timeZone"
    from members m join organizations o on o.id = m.organization_id
    where m.user_id = ${userId}
    order by lower(o.name), o.id`)

export const updateOrganization = (db: Db, orgId: string, patch: OrganizationPatch) =>
  db.one<StoredOrganization>(sql`
    update organizations set
      name = coalesce(${patch.name ?? null}, name), country = coalesce(${patch.country ?? null}, country),
      currency = coalesce(${patch.currency ?? null}, currency),
      time_zone = coalesce(${patch.timeZone ?? null}, time_zone),
      trash_days = coalesce(${patch.trashDays ?? null}::int, trash_days)
    where id = ${orgId}
    returning ${columns}`)

/** Absent fields do not change. @throws 23505 if the slug is taken */
export const updateNames = (
  db: Db,
  orgId: string,
  { name, slug }: { name?: string | undefined; slug?: string | undefined },
) =>
  db.one<StoredOrganization>(sql`
    update organizations set name = coalesce(${name ?? null}, name), slug = coalesce(${slug ?? null}, slug)
    where id = ${orgId}
    returning ${columns}`)

interface UserChange {
  name?: string
  /** null: no picture. */
  image?: { url: string; fileId: string } | null
}

/** Absent fields do not change. */
export const updateUser = (db: Db, userId: string, { name, image }: UserChange) =>
  db.one<SessionUser>(sql`
    update users set name = coalesce(${name ?? null}, name),
      image = case when ${image !== undefined} then ${image?.url ?? null} else image end,
      image_file = case when ${image !== undefined} then ${image?.fileId ?? null}::uuid else image_file end,
      updated_at = now()
    where id = ${userId}
    returning id, name, email, email_verified as "emailVerified", image`)

/** Where the user is signed in, the most recently used session first. */
export const selectDevices = (db: Db, userId: string, currentId: string) =>
  db.many<Device>(sql`
    select id, created_at as "createdAt", updated_at as "lastSeen", nullif(ip_address, '') as address,
      nullif(user_agent, '') as "userAgent", id = ${currentId}::uuid as "isCurrent"
    from sessions where user_id = ${userId} and expires_at > now()
    order by updated_at desc, id desc`)

export const deleteSession = (db: Db, userId: string, id: string) =>
  db.run(sql`delete from sessions where user_id = ${userId} and id = ${id}`)

export const deleteOtherSessions = (db: Db, userId: string, currentId: string) =>
  db.run(sql`delete from sessions where user_id = ${userId} and id <> ${currentId}`)

export const deleteExpiredSessions = (db: Db, now: Date, limit: number) =>
  db.run(sql`
    delete from sessions where id in (select id from sessions where expires_at < ${now} limit ${limit})`)

/** Links for a new password that were not used yet. */
export const deleteResetLinks = (db: Db, userId: string) =>
  db.run(sql`delete from verifications where value = ${userId}`)

/** Expired links of mails. */
export const deleteExpiredVerifications = (db: Db, now: Date, limit: number) =>
  db.run(sql`
    delete from verifications where id in (
      select id from verifications where expires_at < ${now} limit ${limit})`)
