// Statements about access to the portal, and about the data of the organization in it.
import sql, { type Sql } from 'sql-template-tag'
import { ROLES, SCOPES_OF_ROLE } from '../../../contract/roles.ts'
import { PORTAL_LINK_HOURS, PORTAL_SESSION_HOURS } from '../../../contract/webhook-states.ts'
import type { Portal } from '../../../contract/webhooks.ts'
import type { Caller } from '../../base/caller.ts'
import type { Db } from '../../db/pool.ts'

type TokenKind = 'link' | 'session'

const MANAGERS = ROLES.filter((role) => SCOPES_OF_ROLE[role].includes('webhooks:manage'))

const hours = (count: number) =>
  sql`date_trunc('milliseconds', now() + make_interval(hours => ${count}::int))`

/**
 * The valid `portal_tokens t` with this hash, and its `organizations o`. The API key that requested the link must still
 * be valid, or the user who requested it must still be allowed to manage webhooks.
 */
const live = (hash: Buffer, kind: TokenKind): Sql => sql`
  portal_tokens t join organizations o on o.org = t.org
  where t.hash = ${hash} and t.kind = ${kind} and t.expires_at > now() and case
    when t.api_key is not null then exists (
      select from api_keys k where k.org = t.org and k.id = t.api_key
        and (k.expires_at is null or k.expires_at > now()))
    else exists (
      select from members m where m.organization_id = o.id and m.user_id = t.user_id
        and m.role = any(${MANAGERS}::text[])) end`

export const insertPortalLink = (db: Db, { org, userId, keyId }: Caller, hash: Buffer) =>
  db.run(sql`
    insert into portal_tokens (hash, org, kind, api_key, user_id, expires_at)
    values (${hash}, ${org}, 'link', ${keyId}, ${userId}, ${hours(PORTAL_LINK_HOURS)})`)

/** Creates a session for the link; undefined when the link is unknown or expired. */
export const insertSession = (db: Db, { link, session }: { link: Buffer; session: Buffer }) =>
  db.maybeOne<{ expiresAt: string }>(sql`
    insert into portal_tokens (hash, org, kind, api_key, user_id, expires_at)
    select ${session}, t.org, 'session', t.api_key, t.user_id, ${hours(PORTAL_SESSION_HOURS)}
    from ${live(link, 'link')}
    returning expires_at as "expiresAt"`)

export interface PortalVisit {
  caller: Caller
  expiresAt: string
}

/** The visit that a session belongs to; undefined when the session is unknown or expired. */
export async function findSession(db: Db, hash: Buffer): Promise<PortalVisit | undefined> {
  const row = await db.maybeOne<Caller & { expiresAt: string }>(sql`
    select t.org, o.id as "orgId", t.user_id as "userId", t.api_key as "keyId", o.country, o.currency,
      t.expires_at as "expiresAt"
    from ${live(hash, 'session')}`)
  if (!row) return undefined
  const { expiresAt, ...caller } = row
  return { caller, expiresAt }
}

export const deleteExpired = (db: Db, now: Date, limit: number) =>
  db.run(sql`
    delete from portal_tokens where hash in (
      select hash from portal_tokens where expires_at <= ${now} limit ${limit})`)

export const getOrganization = (db: Db, org: number) =>
  db.one<Portal['organization']>(sql`select name, slug from organizations where org = ${org}`)

/** Active objects, oldest first, with their active attributes in the order of the dashboard. */
export const selectPortalObjects = (db: Db, org: number) =>
  db.many<Portal['objects'][number]>(sql`
    select o.id, o.plural_name as "pluralName", o.slug, coalesce((
      select json_agg(json_build_object('slug', a.slug, 'name', a.name) order by a.display_order, a.attr)
      from attributes a where a.org = o.org and a.obj = o.obj and a.is_active and a.deleted_at is null), '[]') as attributes
    from objects o where o.org = ${org} and o.is_active and o.deleted_at is null
    order by o.created_at, o.obj`)
