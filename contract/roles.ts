// What the members of an organization may do in the dashboard (decisions, section 5 "Members").
import { ALL_SCOPES, type Scope } from './scopes.ts'

/** Most powerful first. */
export const ROLES = ['owner', 'admin', 'member'] as const
export type Role = (typeof ROLES)[number]

/** Whether `role` may do what needs at least `least`. */
export const isAtLeast = (role: Role, least: Role): boolean => ROLES.indexOf(role) <= ROLES.indexOf(least)

/** Members work with the data; what it looks like, and who sees it, is for owners and admins. */
const MEMBER_SCOPES: readonly Scope[] = [
  'organization:read',
  'objects:read',
  'attributes:read',
  'records:read',
  'records:write',
  'activities:read',
  'activities:write',
  'comments:read',
  'comments:write',
  'members:read',
  'reports:read',
  'reports:write',
  'reports:run',
  'workflows:read',
  'workflows:run',
  'files:write',
  'attachments:read',
  'attachments:write',
  'views:read',
  'views:write',
  'search:read',
]

export const SCOPES_OF_ROLE: Readonly<Record<Role, readonly Scope[]>> = {
  owner: ALL_SCOPES,
  admin: ALL_SCOPES,
  member: MEMBER_SCOPES,
}
