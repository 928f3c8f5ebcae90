// Roles of members, and their permissions in the dashboard (decisions, section 5 "Members").
import { ALL_SCOPES, type Scope } from './scopes.ts'

/** Most powerful first. */
export const ROLES = ['owner', 'admin', 'member'] as const
export type Role = (typeof ROLES)[number]

/** Whether `role` has at least the permissions of `least`. */
export const isAtLeast = (role: Role, least: Role): boolean => ROLES.indexOf(role) <= ROLES.indexOf(least)

/** Members work with data. Owners and admins manage the data model and the access. */
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
  'files:read',
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
