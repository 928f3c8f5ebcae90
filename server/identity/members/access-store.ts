// Access that members have given, and that ends with their rights: invitations and API keys.
import sql from 'sql-template-tag'
import type { Db } from '../../db/pool.ts'

/** Whether the inviter of the invitation `i` is still a member who may give its role. */
export const inviterMayInvite = sql`exists (
  select from members m where m.organization_id = i.organization_id and m.user_id = i.inviter_id
    and (m.role = 'owner' or (m.role = 'admin' and i.role <> 'owner')))`

/** Cancels the user's open invitations that their current role, or the lack of one, does not allow. */
export const cancelInvitationsBeyondRole = (tx: Db, orgId: string, userId: string) =>
  tx.run(sql`
    update invitations i set cancelled_at = now()
    where i.organization_id = ${orgId} and i.inviter_id = ${userId}
      and i.accepted_at is null and i.cancelled_at is null and not ${inviterMayInvite}`)

/** Deletes every API key that acts in the user's name. @returns their ids */
export async function deleteKeysOf(tx: Db, org: number, userId: string): Promise<string[]> {
  const keys = await tx.many<{ id: string }>(
    sql`delete from api_keys where org = ${org} and created_by = ${userId} returning id`,
  )
  return keys.map(({ id }) => id)
}
