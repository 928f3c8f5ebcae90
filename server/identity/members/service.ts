// Changes of memberships, and the roles that may make them. An organization always has an owner.
import { isUuid } from '../../../contract/common.ts'
import type { Member } from '../../../contract/members.ts'
import type { Role } from '../../../contract/roles.ts'
import type { Caller } from '../../base/caller.ts'
import { AppError, notFound } from '../../base/errors.ts'
import type { Db } from '../../db/pool.ts'
import { cancelInvitationsBeyondRole, deleteKeysOf } from './access-store.ts'
import { rankOf, requireRank } from './rank.ts'
import {
  countOwners,
  deleteMember,
  findMemberOfOrganization,
  findRole,
  getMember,
  lockMembers,
  type MemberRow,
  updateRole,
} from './store.ts'

type Actor = Pick<Caller, 'org' | 'orgId' | 'userId' | 'keyId' | 'scopes'>

interface Change {
  target: MemberRow
  /** The user's current role, not the role when the request arrived. For a key, the role of the key's creator. */
  role: Role | undefined
}

async function findChange(tx: Db, { org, orgId, userId, keyId }: Actor, memberId: string): Promise<Change> {
  const role = await findRole(tx, org, userId)
  const target = isUuid(memberId) ? await findMemberOfOrganization(tx, orgId, memberId) : undefined
  if (!target || (!role && keyId === null)) throw notFound('member')
  return { role, target }
}

async function requireAnotherOwner(tx: Db, orgId: string): Promise<void> {
  if ((await countOwners(tx, orgId)) > 1) return
  throw new AppError(
    'last_owner',
    'An organization must have at least one owner: make another member an owner first',
  )
}

/** Ends what the target's new role, or the lack of one, does not allow. @returns ids of the deleted API keys */
async function endAccess(
  tx: Db,
  { org, orgId }: Actor,
  { userId, revokeKeys }: { userId: string; revokeKeys: boolean },
): Promise<string[]> {
  await cancelInvitationsBeyondRole(tx, orgId, userId)
  return revokeKeys ? deleteKeysOf(tx, org, userId) : []
}

/** Runs `work` while no other change of the organization's memberships runs. */
const changing = <Result>(ctx: { directory: Db }, actor: Actor, work: (tx: Db) => Promise<Result>) =>
  ctx.directory.transaction(async (tx) => {
    await lockMembers(tx, actor.orgId)
    return work(tx)
  })

/**
 * Gives a member another role. Cancels the member's invitations to roles that the new role may not give.
 * @param change revokeKeys: delete the API keys that the member made
 * @returns revoked: ids of the deleted keys
 * @throws AppError not_found, insufficient_role (only owners make and change owners; for keys see rank.ts), last_owner
 */
export function changeRole(
  ctx: { directory: Db },
  actor: Actor,
  { memberId, role: asked, revokeKeys }: { memberId: string; role: Role | undefined; revokeKeys: boolean },
): Promise<{ member: Member; revoked: string[] }> {
  return changing(ctx, actor, async (tx) => {
    const { role, target } = await findChange(tx, actor, memberId)
    const rank = rankOf(actor, role)
    if (asked === undefined && !revokeKeys)
      return { member: await getMember(tx, actor.orgId, target.id), revoked: [] }
    const wanted = asked ?? target.role
    requireRank(actor, rank, [target.role, wanted])
    if (target.role === 'owner' && wanted !== 'owner') await requireAnotherOwner(tx, actor.orgId)
    await updateRole(tx, actor.orgId, { id: target.id, role: wanted })
    const revoked = await endAccess(tx, actor, { userId: target.userId, revokeKeys })
    return { member: await getMember(tx, actor.orgId, target.id), revoked }
  })
}

/**
 * Removes a member and cancels the member's invitations; every member may leave. The member's API keys belong to the
 * organization and remain, unless `revokeKeys`, which requires the role admin.
 * @returns userId: of the removed member; revoked: ids of the deleted keys
 * @throws AppError not_found, insufficient_role, last_owner
 */
export function removeMember(
  ctx: { directory: Db },
  actor: Actor,
  { memberId, revokeKeys }: { memberId: string; revokeKeys: boolean },
): Promise<{ userId: string; revoked: string[] }> {
  return changing(ctx, actor, async (tx) => {
    const { role, target } = await findChange(tx, actor, memberId)
    const isLeaving = target.userId === actor.userId && actor.keyId === null
    if (role !== 'member' || !isLeaving || revokeKeys) requireRank(actor, rankOf(actor, role), [target.role])
    if (target.role === 'owner') await requireAnotherOwner(tx, actor.orgId)
    await deleteMember(tx, actor.orgId, target.id)
    const { userId } = target
    return { userId, revoked: await endAccess(tx, actor, { userId, revokeKeys }) }
  })
}
