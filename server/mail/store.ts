// Every statement about messages that wait for an operator to pass them on.
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

/** @param mail organizationId: whose data it may contain; null: no organization's */
export const insertMail = (
  db: Db,
  { recipient, subject, body, organizationId }: NewMail & { organizationId: string | null },
) =>
  db.run(sql`
    insert into outgoing_mail (id, recipient, subject, body, organization_id)
    values (${newId()}, ${recipient}, ${subject}, ${body}, ${organizationId}::uuid)`)

/** Columns with what a message says. */
export const MAIL_TEXTS = [sql`recipient`, sql`subject`, sql`body`]

/** Those of an organization. @param condition of its columns @returns how many */
export const deleteMailOf = (db: Db, organizationId: string, condition: Sql): Promise<number> =>
  db.run(sql`delete from outgoing_mail where organization_id = ${organizationId} and ${condition}`)

/** The newest first. */
export const selectMail = (db: Db, limit: number) =>
  db.many<KeptMail>(sql`
    select recipient, subject, body, created_at as "createdAt" from outgoing_mail
    order by created_at desc, id desc limit ${limit}`)

/** Links in them work for seven days at most. */
export const deleteOldMail = (db: Db, now: Date, limit: number) =>
  db.run(sql`
    delete from outgoing_mail where id in (
      select id from outgoing_mail where created_at < ${now}::timestamptz - interval '7 days' limit ${limit})`)
