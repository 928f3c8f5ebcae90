// Every statement about memberships.
import sql from 'sql-template-tag'
import type { Member } from '../../../contract/members.ts'
import type { Role } from '../../../contract/roles.ts'
import { newId } from '../../base/id.ts'
import type { Db } from '../../db/pool.ts'
import { cellOf } from '../../placement/placement.ts'

const member = sql`m.id, m.role, m.created_at as "createdAt",
  json_build_object('id', u.id, 'name', u.name, 'email', u.email, 'image', u.image) as user`

/** The organization's members (specification, section "Member"), oldest first. */
export const selectMembers = (db: Db, orgId: string) =>
  db.many<Member>(sql`
    select ${member} from members m join users u on u.id = m.user_id
    where m.organization_id = ${orgId}
    order by m.created_at, m.id`)

export const getMember = (db: Db, orgId: string, id: string) =>
  db.one<Member>(sql`
    select ${member} from members m join users u on u.id = m.user_id
    where m.organization_id = ${orgId} and m.id = ${id}`)

export interface MemberRow {
  id: string
  userId: string
  role: Role
}

export const findMemberOfOrganization = (db: Db, orgId: string, id: string) =>
  db.maybeOne<MemberRow>(sql`
    select id, user_id as "userId", role from members where organization_id = ${orgId} and id = ${id}`)

/** Makes changes of the organization's memberships wait for each other. Writers of data do not wait. */
export const lockMembers = (tx: Db, orgId: string) =>
  tx.run(sql`select from organizations where id = ${orgId} for no key update`)

export const countOwners = (db: Db, orgId: string): Promise<number> =>
  db.value<number>(sql`select count(*) from members where organization_id = ${orgId} and role = 'owner'`)

export const updateRole = (db: Db, orgId: string, { id, role }: Pick<MemberRow, 'id' | 'role'>) =>
  db.run(sql`update members set role = ${role} where organization_id = ${orgId} and id = ${id}`)

export const deleteMember = (db: Db, orgId: string, id: string) =>
  db.run(sql`delete from members where organization_id = ${orgId} and id = ${id}`)

/** @returns 0 for a user who is already a member; their role does not change */
export const insertMember = (db: Db, orgId: string, { userId, role }: Omit<MemberRow, 'id'>) =>
  db.run(sql`
    insert into members (id, organization_id, user_id, role) values (${newId()}, ${orgId}, ${userId}, ${role})
    on conflict (organization_id, user_id) do nothing`)

export async function hasMember(db: Db, orgId: string, email: string): Promise<boolean> {
  const found = await db.maybeOne(sql`
    select m.id from members m join users u on u.id = m.user_id
    where m.organization_id = ${orgId} and u.email = ${email}`)
  return found !== undefined
}

/** Names by id, of the given users who are or were members. */
export async function selectUserNames(
  db: Db,
  org: number,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db.many<{ id: string; name: string }>(sql`
    select u.id, u.name from users u
    where u.id = any(${ids}::uuid[]) and (
      exists (
        select from members m join organizations o on o.id = m.organization_id
        where o.org = ${org} and m.user_id = u.id)
      or exists (select from former_members f where f.org = ${org} and f.user_id = u.id))`)
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** The organizations of a user, and the cell of each. */
export const selectPlacesOf = (db: Db, userId: string) =>
  db.many<{ org: number; cell: number }>(sql`
    select o.org, ${cellOf(sql`o`)} as cell from members m join organizations o on o.id = m.organization_id
    where m.user_id = ${userId} order by o.org`)

/** The given users who are members. */
export async function selectMemberIds(
  db: Db,
  orgId: string,
  userIds: readonly string[],
): Promise<Set<string>> {
  if (userIds.length === 0) return new Set()
  const rows = await db.many<{ id: string }>(sql`
    select user_id as id from members where organization_id = ${orgId} and user_id = any(${userIds}::uuid[])`)
  return new Set(rows.map(({ id }) => id))
}

/** The user's role in the organization; undefined for a user who is not a member. */
export const findRole = (db: Db, org: number, userId: string): Promise<Role | undefined> =>
  db.maybeValue<Role>(sql`
    select m.role from members m join organizations o on o.id = m.organization_id
    where o.org = ${org} and m.user_id = ${userId}`)

export const hasBeenMember = async (db: Db, org: number, userId: string): Promise<boolean> =>
  (await db.maybeOne(sql`
    select from former_members where org = ${org} and user_id = ${userId}`)) !== undefined

/** The user who has owned the organization longest. */
export const getFirstOwner = (db: Db, orgId: string): Promise<string> =>
  db.value<string>(sql`
    select user_id as "userId" from members
    where organization_id = ${orgId} and role = 'owner'
    order by created_at, id limit 1`)
