// The specification's section "Member": the users of an organization.
import { type Static, Type } from 'typebox'
import { Timestamp, Uuid } from './common.ts'
import { ROLES, type Role } from './roles.ts'

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
          description: 'Address of the user’s picture; null when there is none',
        }),
      },
      { additionalProperties: false },
    ),
  },
  { additionalProperties: false, description: 'A user’s membership of the organization' },
)
export type Member = Static<typeof Member>

export const MemberList = Type.Object({ members: Type.Array(Member) }, { additionalProperties: false })

const RevokeKeys = Type.Boolean({ description: 'true: also delete the API keys that the member made' })

export const MemberPatch = Type.Object(
  { role: Type.Optional(RoleSchema), revokeKeys: Type.Optional(RevokeKeys) },
  { additionalProperties: false },
)

export const MemberRemoval = Type.Object(
  { revokeKeys: Type.Optional(RevokeKeys) },
  { additionalProperties: false },
)
