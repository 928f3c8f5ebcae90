// Who is signed in to the dashboard, and to which organizations they belong.
import { type Static, Type } from 'typebox'
import { Uuid } from './common.ts'
import { RoleSchema } from './members.ts'

export const SessionOrganization = Type.Object(
  {
    id: Uuid,
    slug: Type.String(),
    name: Type.String(),
    role: RoleSchema,
    country: Type.String({ description: 'ISO 3166-1 alpha-2' }),
    currency: Type.String({ description: 'ISO 4217' }),
    timeZone: Type.String({ description: 'IANA name' }),
  },
  { additionalProperties: false },
)
export type SessionOrganization = Static<typeof SessionOrganization>

export const SessionUser = Type.Object(
  { id: Uuid, name: Type.String(), email: Type.String(), image: Type.Union([Type.String(), Type.Null()]) },
  { additionalProperties: false },
)
export type SessionUser = Static<typeof SessionUser>

/** `organizations`: those the user belongs to, by name. */
export const Session = Type.Object(
  { user: SessionUser, organizations: Type.Array(SessionOrganization) },
  { additionalProperties: false },
)
export type Session = Static<typeof Session>
