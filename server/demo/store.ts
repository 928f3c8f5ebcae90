// Every statement about the demo organization: whether it exists, and whether its access was shown.
import sql from 'sql-template-tag'
import { newId } from '../base/id.ts'
import type { Db } from '../db/pool.ts'

/** Stored in organizations.metadata until the access was shown. */
const UNANNOUNCED = JSON.stringify({ demo: 'unannounced' })
const ANNOUNCED = JSON.stringify({ demo: 'announced' })

export const hasOrganization = (db: Db): Promise<boolean> =>
  db.value<boolean>(sql`select exists (select from organizations) as present`)

export const markUnannounced = (db: Db, organizationId: string) =>
  db.run(sql`update organizations set metadata = ${UNANNOUNCED} where id = ${organizationId}`)

export const markAnnounced = (db: Db, organizationId: string) =>
  db.run(sql`update organizations set metadata = ${ANNOUNCED} where id = ${organizationId}`)

export interface UnannouncedDemo {
  id: string
  org: number
  ownerId: string
}

export const findUnannounced = (db: Db) =>
  db.maybeOne<UnannouncedDemo>(sql`
    select o.id, o.org, m.user_id as "ownerId"
    from organizations o join members m on m.organization_id = o.id and m.role = 'owner'
    where o.metadata = ${UNANNOUNCED} order by m.created_at, m.id limit 1`)

export const findUserId = (db: Db, email: string): Promise<string | undefined> =>
  db.maybeValue<string>(sql`select id from users where email = ${email}`)

/** @returns the id of the user, who may exist from a deleted organization */
export const insertColleague = (db: Db, { name, email }: { name: string; email: string }): Promise<string> =>
  db.value<string>(sql`
    insert into users (id, name, email, email_verified) values (${newId()}, ${name}, ${email}, true)
    on conflict (email) do update set name = excluded.name
    returning id`)
