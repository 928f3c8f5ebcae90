// An organization with one user, for tests of keys.
import sql from 'sql-template-tag'
import type { Role } from '../../../contract/roles.ts'
import { newId } from '../../base/id.ts'
import type { Db } from '../../db/pool.ts'

export async function buildMember(db: Db, orgId: string, role: Role): Promise<string> {
  const userId = newId()
  await db.run(sql`insert into users (id, name, email) values (${userId}, 'Ada', ${`${userId}@example.com`})`)
  await db.run(
    sql`insert into members (id, organization_id, user_id, role) values (${newId()}, ${orgId}, ${userId}, ${role})`,
  )
  return userId
}

export async function buildOrganization(db: Db): Promise<{ org: number; orgId: string; ownerId: string }> {
  const orgId = newId()
  const { org } = await db.one<{ org: number }>(sql`
    insert into organizations (id, name, slug, country, currency) values (${orgId}, 'Acme', ${orgId}, 'DE', 'EUR')
    returning org`)
  return { org, orgId, ownerId: await buildMember(db, orgId, 'owner') }
}
