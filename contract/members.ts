// The specification's section "Member": the users of an organization.
import { type Static, Type } from 'typebox'
import { Deleted, Timestamp, Uuid } from './common.ts'
import { exampleId, exampleTimes, exampleUser } from './example-values.ts'
import { ROLES, type Role } from './roles.ts'
import type { ApiRoutes, DashboardRoutes } from './route.ts'

/** Who made something: the form every `createdBy` and `creator` has. */
export const UserRef = Type.Object(
  { id: Uuid, name: Type.String(), email: Type.String() },
  { additionalProperties: false, description: 'A user' },
)
export type UserRef = Static<typeof UserRef>

export const RoleSchema = Type.Unsafe<Role>(
  Type.Union(
    ROLES.map((role) => Type.Literal(role)),
    { description: 'What the member may do in the organization' },
  ),
)

export const Member = Type.Object(
  {
    id: Uuid,
    role: RoleSchema,
    createdAt: Timestamp,
    user: Type.Object(
      {
        id: Uuid,
        name: Type.String(),
        email: Type.String(),
        image: Type.Union([Type.String(), Type.Null()], {
          description: 'URL of the user’s picture; null if there is none',
        }),
      },
      { additionalProperties: false },
    ),
  },
  { additionalProperties: false, description: 'A user’s membership of the organization' },
)
export type Member = Static<typeof Member>

export const MemberList = Type.Object({ members: Type.Array(Member) }, { additionalProperties: false })

const RevokeKeys = Type.Boolean({ description: 'true: also delete the API keys that the member created' })

export const MemberPatch = Type.Object(
  { role: Type.Optional(RoleSchema), revokeKeys: Type.Optional(RevokeKeys) },
  { additionalProperties: false },
)

export const MemberRemoval = Type.Object(
  { revokeKeys: Type.Optional(RevokeKeys) },
  { additionalProperties: false },
)

/** Their names in the API document. */
export const memberSchemas = { Member, MemberList, UserRef }

export const memberDashboardRoutes = {
  updateMember: {
    method: 'PATCH',
    path: '/members/:memberId',
    role: 'admin',
    body: MemberPatch,
    response: { 200: Member },
  },
  removeMember: {
    method: 'DELETE',
    path: '/members/:memberId',
    // Members may leave.
    role: 'member',
    query: MemberRemoval,
    response: { 200: Deleted },
  },
} satisfies DashboardRoutes

export const memberRoutes = {
  listMembers: {
    method: 'GET',
    path: '/members',
    scope: 'members:read',
    summary: 'List members',
    response: { 200: MemberList },
    example: {
      response: {
        members: [
          {
            id: exampleId(9),
            role: 'owner',
            createdAt: exampleTimes.createdAt,
            user: { ...exampleUser, image: null },
          },
        ],
      },
    },
  },
} satisfies ApiRoutes
