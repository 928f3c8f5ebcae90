// Which roles a caller may give and take.
//
// A key acts for the member who made it, with fewer rights: only an owner in the dashboard can make someone an owner or
// end that role. A key with scopes changes only the role `member`, because an admin can make a key with full access.
import { isAtLeast, type Role } from '../../../contract/roles.ts'
import type { Caller } from '../../base/caller.ts'
import { AppError, insufficientRole } from '../../base/errors.ts'

type Asking = Pick<Caller, 'keyId' | 'scopes'>

const refusedKey = (requiredRole: Role, message: string) =>
  new AppError('insufficient_role', message, { requiredRole })

/**
 * The highest role that the caller may give and take.
 * @param role the user's current role, not the role when the request arrived; undefined: no longer a member
 * @throws AppError insufficient_role
 */
export function rankOf({ keyId, scopes }: Asking, role: Role | undefined): Role {
  if (keyId === null) {
    if (role === undefined || role === 'member') throw insufficientRole('admin')
    return role
  }
  if (role === undefined || role === 'member')
    throw refusedKey(
      'admin',
      'The creator of this API key is no longer an admin: use a key that an admin created',
    )
  return scopes ? 'member' : 'admin'
}

/** @param roles the roles that are given and taken @throws AppError insufficient_role */
export function requireRank({ keyId }: Asking, rank: Role, roles: readonly Role[]): void {
  const beyond = roles.filter((role) => isAtLeast(role, rank) && role !== rank)
  if (beyond.length === 0) return
  if (keyId === null) throw insufficientRole('owner')
  if (beyond.includes('owner'))
    throw refusedKey(
      'owner',
      'An API key cannot make, change or remove owners: an owner can, in the dashboard',
    )
  throw refusedKey(
    'admin',
    'An API key with scopes cannot make, change or remove admins: use a key with full access, or the dashboard',
  )
}
