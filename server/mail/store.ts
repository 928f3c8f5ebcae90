// Every statement about messages that are kept until an operator passes them on.
import sql, { type Sql } from 'sql-template-tag'
import { newId } from '../base/id.ts'
import type { Db } from '../db/pool.ts'

interface NewMail {
  recipient: string
  subject: string
  body: string
}

export interface KeptMail extends NewMail {
  createdAt: string
}

/** @param mail organizationId: the organization whose data it may contain; null: none */
export const insertMail = (
  db: Db,
  { recipient, subject, body, organizationId }: NewMail & { organizationId: string | null },
) =>
  db.run(sql`
    insert into outgoing_mail (id, recipient, subject, body, organization_id)
    values (${newId()}, ${recipient}, ${subject}, ${body}, ${organizationId}::uuid)`)

/** The columns with the content of a message. */
export const MAIL_TEXTS = [sql`recipient`, sql`subject`, sql`body`]

/** Deletes messages of an organization. @param condition on its columns @returns their number */
export const deleteMailOf = (db: Db, organizationId: string, condition: Sql): Promise<number> =>
  db.run(sql`delete from outgoing_mail where organization_id = ${organizationId} and ${condition}`)

/** Newest first. */
export const selectMail = (db: Db, limit: number) =>
  db.many<KeptMail>(sql`
    select recipient, subject, body, created_at as "createdAt" from outgoing_mail
    order by created_at desc, id desc limit ${limit}`)

/** Deletes messages after seven days: links in them have expired. */
export const deleteOldMail = (db: Db, now: Date, limit: number) =>
  db.run(sql`
    delete from outgoing_mail where id in (
      select id from outgoing_mail where created_at < ${now}::timestamptz - interval '7 days' limit ${limit})`)
