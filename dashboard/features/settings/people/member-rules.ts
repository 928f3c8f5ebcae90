// Who may change whose membership, as server/identity/members/service.ts has it: here to say so before it is tried.
import type { Role } from '../../../../contract/roles.ts'

interface Meeting {
  /** Role of who looks. */
  actor: Role
  /** Role of the member in question. */
  target: Role
  /** Whether they are the same person. */
  isSelf: boolean
  /** Owners of the organization. */
  owners: number
}

const LAST_OWNER = 'An organization must have at least one owner: make another member an owner first'

/** undefined: it may be changed. */
export function whyRoleStays({ actor, target, owners }: Meeting): string | undefined {
  if (actor === 'member') return 'Only owners and admins can change roles'
  if (target !== 'owner') return undefined
  if (actor !== 'owner') return 'Only owners can change the role of an owner'
  return owners === 1 ? LAST_OWNER : undefined
}

/** undefined: the member may be removed, or leave. */
export function whyMemberStays({ actor, target, isSelf, owners }: Meeting): string | undefined {
  if (actor === 'member' && !isSelf) return 'Only owners and admins can remove members'
  if (target !== 'owner') return undefined
  if (actor !== 'owner') return 'Only owners can remove an owner'
  return owners === 1 ? LAST_OWNER : undefined
}

/** Roles that one may give; no one gives more than they have. */
export const isRoleToGive = (actor: Role, role: Role): boolean =>
  actor === 'owner' || (actor === 'admin' && role !== 'owner')
