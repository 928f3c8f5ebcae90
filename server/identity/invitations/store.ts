// Every statement about invitations.
import sql from 'sql-template-tag'
import type { Invitation, OpenedInvitation } from '../../../contract/invitations.ts'
import { INVITATION_DAYS } from '../../../contract/limits.ts'
import type { Role } from '../../../contract/roles.ts'
import { newId } from '../../base/id.ts'
import type { Db } from '../../db/pool.ts'
import { cellOf } from '../../placement/placement.ts'
import { inviterMayInvite } from '../members/access-store.ts'

export interface NewInvitationRow {
  email: string
  role: Role
  tokenHash: Buffer
  inviterId: string
}

const isOpen = sql`accepted_at is null and cancelled_at is null`
const lifetime = sql`now() + make_interval(days => ${INVITATION_DAYS})`

const columns = sql`i.id, i.email, i.role, case when i.expires_at > now() then 'pending' else 'expired' end as state,
  json_build_object('id', u.id, 'name', u.name, 'email', u.email) as "invitedBy",
  i.created_at as "createdAt", i.sent_at as "sentAt", i.expires_at as "expiresAt"`

/** Invitations that are neither accepted nor cancelled, newest first. */
export const selectInvitations = (db: Db, orgId: string) =>
  db.many<Invitation>(sql`
    select ${columns} from invitations i join users u on u.id = i.inviter_id
    where i.organization_id = ${orgId} and ${isOpen}
    order by i.created_at desc, i.id desc`)

export const findInvitation = (db: Db, orgId: string, id: string) =>
  db.maybeOne<Invitation>(sql`
    select ${columns} from invitations i join users u on u.id = i.inviter_id
    where i.organization_id = ${orgId} and i.id = ${id} and ${isOpen}`)

/** Allows a new invitation of the same address. */
export const cancelExpiredInvitations = (db: Db, orgId: string, email: string) =>
  db.run(sql`
    update invitations set cancelled_at = now()
    where organization_id = ${orgId} and email = ${email} and ${isOpen} and expires_at <= now()`)

/** The new invitation; undefined when the address has an open one. */
export const insertInvitation = (db: Db, orgId: string, row: NewInvitationRow) =>
  db.maybeOne<Invitation>(sql`
    with i as (
      insert into invitations (id, organization_id, email, role, token_hash, inviter_id, expires_at)
      values (${newId()}, ${orgId}, ${row.email}, ${row.role}, ${row.tokenHash}, ${row.inviterId}, ${lifetime})
      on conflict (organization_id, email) where ${isOpen} do nothing
      returning *)
    select ${columns} from i join users u on u.id = i.inviter_id`)

/** Sets a new secret and a new week; the old link no longer works. */
export const renewInvitation = (
  db: Db,
  orgId: string,
  { id, tokenHash, inviterId }: Pick<NewInvitationRow, 'tokenHash' | 'inviterId'> & { id: string },
) =>
  db.maybeOne<Invitation>(sql`
    with i as (
      update invitations set token_hash = ${tokenHash}, inviter_id = ${inviterId}, sent_at = now(),
        sends = sends + 1, expires_at = ${lifetime}
      where organization_id = ${orgId} and id = ${id} and ${isOpen}
      returning *)
    select ${columns} from i join users u on u.id = i.inviter_id`)

export const cancelInvitation = (db: Db, orgId: string, id: string) =>
  db.run(sql`
    update invitations set cancelled_at = now() where organization_id = ${orgId} and id = ${id} and ${isOpen}`)

/** How many mails the organization's invitations caused in the last day. */
export const countSends = (db: Db, orgId: string): Promise<number> =>
  db.value<number>(sql`
    select coalesce(sum(sends), 0) as sends from invitations
    where organization_id = ${orgId} and sent_at > now() - interval '1 day'`)

export interface OpenedRow extends OpenedInvitation {
  id: string
  org: number
  cell: number
  orgId: string
  slug: string
}

/** Found by the secret only: the row names the organization. */
export const findOpened = (db: Db, tokenHash: Buffer) =>
  db.maybeOne<OpenedRow>(sql`
    select i.id, o.org, ${cellOf(sql`o`)} as cell, o.id as "orgId", o.slug, o.name as organization,
      u.name as "invitedBy", i.email, i.role,
      i.expires_at as "expiresAt", exists (select from users where email = i.email) as "hasAccount",
      case when i.accepted_at is not null then 'accepted'
        when i.cancelled_at is not null or not ${inviterMayInvite} then 'cancelled'
        when i.expires_at <= now() then 'expired' else 'pending' end as state
    from invitations i join organizations o on o.id = i.organization_id join users u on u.id = i.inviter_id
    where i.token_hash = ${tokenHash}`)

/** Marks the invitation as accepted; 0 if it is accepted, cancelled or expired, or its inviter cannot give its role. */
export const takeInvitation = (db: Db, orgId: string, { id, tokenHash }: { id: string; tokenHash: Buffer }) =>
  db.run(sql`
    update invitations i set accepted_at = now()
    where organization_id = ${orgId} and id = ${id} and token_hash = ${tokenHash}
      and ${isOpen} and expires_at > now() and ${inviterMayInvite}`)

/** Deletes invitations whose week ended a month ago, also accepted and cancelled ones. */
export const deleteOldInvitations = (db: Db, now: Date, limit: number) =>
  db.run(sql`
    delete from invitations where id in (
      select id from invitations where expires_at < ${now}::timestamptz - interval '30 days' limit ${limit})`)
