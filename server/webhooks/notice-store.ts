// The members who are notified when an endpoint is disabled.
import sql from 'sql-template-tag'
import type { DisabledReason } from '../../contract/webhook-states.ts'
import type { Db } from '../db/pool.ts'

export interface Notice {
  organization: string
  slug: string
  url: string
  reason: DisabledReason
  /** Addresses of owners and admins who want immediate mail. */
  recipients: string[]
}

/** undefined: it is enabled, or deleted. */
export const findNotice = (db: Db, org: number, endpoint: string): Promise<Notice | undefined> =>
  db.maybeOne<Notice>(sql`
    select o.name as organization, o.slug, w.url, w.disabled_reason as reason, array(
      select u.email from members m join users u on u.id = m.user_id
      left join notification_settings s on s.org = o.org and s.user_id = u.id
      where m.organization_id = o.id and m.role in ('owner', 'admin')
        and coalesce(s.kinds->'endpoint'->>'mail', 'now') = 'now'
      order by u.email) as recipients
    from webhook_endpoints w join organizations o on o.org = w.org
    where w.org = ${org} and w.id = ${endpoint} and not w.is_enabled`)

/** User ids of owners and admins. */
export const selectAdmins = async (db: Db, org: number): Promise<string[]> =>
  (
    await db.many<{ id: string }>(sql`
      select m.user_id as id from members m join organizations o on o.id = m.organization_id
      where o.org = ${org} and m.role in ('owner', 'admin')`)
  ).map(({ id }) => id)
