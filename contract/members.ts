// The specification's section "Member": the users of an organization.
import { type Static, Type } from 'typebox'
import { Deleted, listOf, literals, Nullable, StrictObject, Timestamp, Uuid } from './common.ts'
import { exampleDeleted, exampleId, exampleTimes, exampleUser, exampleWhole } from './example-values.ts'
import { WholeListQuery } from './paging.ts'
import { ROLES } from './roles.ts'
import type { ApiRoutes } from './route.ts'

/** The user who created something, as in every `createdBy` and `creator`. */
export const UserRef = StrictObject(
  { id: Uuid, name: Type.String(), email: Type.String() },
  { description: 'A user' },
)
export type UserRef = Static<typeof UserRef>

/** The user who did something, if the specification defines no schema. */
export const ActingUser = StrictObject(
  { id: Uuid, name: Type.Optional(Type.String()), email: Type.Optional(Type.String()) },
  { description: 'A user. Without the scope members:read, only the id is present' },
)
export type ActingUser = Static<typeof ActingUser>

export const RoleSchema = literals(ROLES, { description: 'Role of the member in the organization' })

export const Member = StrictObject(
  {
    id: Uuid,
    role: RoleSchema,
    createdAt: Timestamp,
    user: StrictObject({
      id: Uuid,
      name: Type.String(),
      email: Type.String(),
      image: Nullable(Type.String(), {
        description: 'URL of the user’s picture; null if there is none',
      }),
    }),
  },
  { description: 'A user’s membership of the organization' },
)
export type Member = Static<typeof Member>

export const MemberList = listOf('members', Member)

const RevokeKeys = Type.Boolean({ description: 'true: also delete the API keys that the member created' })

export const MemberPatch = StrictObject({
  role: Type.Optional(RoleSchema),
  revokeKeys: Type.Optional(RevokeKeys),
})

export const MemberRemoval = StrictObject({ revokeKeys: Type.Optional(RevokeKeys) })

/** Schemas by their names in the API document. */
export const memberSchemas = { ActingUser, Member, MemberList, MemberPatch, UserRef }

const exampleMember = {
  id: exampleId(9),
  role: 'owner',
  createdAt: exampleTimes.createdAt,
  user: { ...exampleUser, image: null },
}

export const memberRoutes = {
  listMembers: {
    at: 'GET /members',
    scope: 'members:read',
    summary: 'List members',
    query: WholeListQuery,
    response: { 200: MemberList },
    example: {
      response: {
        members: [exampleMember],
        pagination: exampleWhole,
      },
    },
  },
  updateMember: {
    at: 'PATCH /members/:memberId',
    scope: 'members:manage',
    summary: 'Change the role of a member',
    description:
      'Open invitations by the member to roles that the member may no longer assign are cancelled. Only owners can assign the role `owner` and change owners, in the dashboard. A key with full access can assign the role `admin`; a key with scopes cannot assign it, and cannot change admins.',
    body: MemberPatch,
    response: { 200: Member },
    errors: ['insufficient_role'],
    example: { body: { role: 'admin' }, response: { ...exampleMember, role: 'admin' } },
  },
  removeMember: {
    at: 'DELETE /members/:memberId',
    scope: 'members:manage',
    // Members can remove themselves.
    role: 'member',
    summary: 'Remove a member',
    description:
      'Records and tasks of the member stay: start a reassignment to give them to another member. API keys that the member created belong to the organization and stay, unless `revokeKeys=true`. Keys cannot remove owners; keys with scopes cannot remove admins.',
    query: MemberRemoval,
    response: { 200: Deleted },
    errors: ['insufficient_role'],
    example: { response: exampleDeleted },
  },
} satisfies ApiRoutes
