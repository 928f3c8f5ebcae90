// Every statement about memberships.
import sql from 'sql-template-tag'
import type { Member } from '../../contract/members.ts'
import type { Role } from '../../contract/roles.ts'
import type { Db } from '../db/pool.ts'

/** The organization's members (specification, section "Member"), oldest first. */
export const selectMembers = (db: Db, orgId: string) =>
  db.many<Member>(sql`
    select m.id, m.role, m.created_at as "createdAt",
      json_build_object('id', u.id, 'name', u.name, 'email', u.email, 'image', u.image) as user
    from members m join users u on u.id = m.user_id
    where m.organization_id = ${orgId}
    order by m.created_at, m.id`)

/** The user's role in the organization; undefined for a user who is no member. */
export async function findRole(db: Db, org: number, userId: string): Promise<Role | undefined> {
  const row = await db.maybeOne<{ role: Role }>(sql`
    select m.role from members m join organizations o on o.id = m.organization_id
    where o.org = ${org} and m.user_id = ${userId}`)
  return row?.role
}

/** The user who has owned the organization longest. */
export async function getFirstOwner(db: Db, orgId: string): Promise<string> {
  const row = await db.one<{ userId: string }>(sql`
    select user_id as "userId" from members
    where organization_id = ${orgId} and role = 'owner'
    order by created_at, id limit 1`)
  return row.userId
}
