// Who may change whose membership: the rules of server/identity/members/service.ts, so that pages can explain them.
import type { Role } from '../../../../contract/roles.ts'

interface Meeting {
  /** Role of the signed-in user. */
  actor: Role
  /** Role of the member to change. */
  target: Role
  /** Whether the member is the signed-in user. */
  isSelf: boolean
  /** Number of owners of the organization. */
  owners: number
}

const LAST_OWNER = 'An organization must have at least one owner: make another member an owner first'

/** Why the role cannot be changed; undefined: it can. */
export function whyRoleStays({ actor, target, owners }: Meeting): string | undefined {
  if (actor === 'member') return 'Only owners and admins can change roles'
  if (target !== 'owner') return undefined
  if (actor !== 'owner') return 'Only owners can change the role of an owner'
  return owners === 1 ? LAST_OWNER : undefined
}

/** Why the member cannot be removed or leave; undefined: they can. */
export function whyMemberStays({ actor, target, isSelf, owners }: Meeting): string | undefined {
  if (actor === 'member' && !isSelf) return 'Only owners and admins can remove members'
  if (target !== 'owner') return undefined
  if (actor !== 'owner') return 'Only owners can remove an owner'
  return owners === 1 ? LAST_OWNER : undefined
}

/** Whether the actor may give the role: never a higher role than theirs. */
export const isRoleToGive = (actor: Role, role: Role): boolean =>
  actor === 'owner' || (actor === 'admin' && role !== 'owner')
