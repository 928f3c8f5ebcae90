// The members who are notified when an endpoint is disabled.
import sql from 'sql-template-tag'
import type { DisabledReason } from '../../contract/webhook-states.ts'
import type { Db } from '../db/pool.ts'

export interface Notice {
  organization: string
  slug: string
  url: string
  reason: DisabledReason
  /** Addresses of owners and admins. */
  recipients: string[]
}

/** undefined: it is enabled, or gone. */
export const findNotice = (db: Db, org: number, endpoint: string): Promise<Notice | undefined> =>
  db.maybeOne<Notice>(sql`
    select o.name as organization, o.slug, w.url, w.disabled_reason as reason, array(
      select u.email from members m join users u on u.id = m.user_id
      where m.organization_id = o.id and m.role in ('owner', 'admin') order by u.email) as recipients
    from webhook_endpoints w join organizations o on o.org = w.org
    where w.org = ${org} and w.id = ${endpoint} and not w.is_enabled`)
