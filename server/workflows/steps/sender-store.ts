// In whose name messages of workflows leave.
import sql from 'sql-template-tag'
import type { Db } from '../../db/pool.ts'

interface Sender {
  /** Of the organization. */
  name: string
  /** Whether an owner or admin has confirmed their email address. */
  isVerified: boolean
}

export const getSender = (db: Db, orgId: string) =>
  db.one<Sender>(sql`
    select o.name, exists (
      select from members m join users u on u.id = m.user_id
      where m.organization_id = o.id and m.role in ('owner', 'admin') and u.email_verified) as "isVerified"
    from organizations o where o.id = ${orgId}`)
