// Who is signed in to the dashboard, and to which organizations they belong.
import { type Static, Type } from 'typebox'
import { Timestamp, Uuid } from './common.ts'
import { EMAIL_MAX, NAME_MAX, PASSWORD_MAX, PASSWORD_MIN } from './limits.ts'
import { RoleSchema } from './members.ts'
import { NOT_BLANK } from './not-blank.ts'
import { NewOrganization } from './organization.ts'

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
  {
    id: Uuid,
    name: Type.String(),
    email: Type.String(),
    emailVerified: Type.Boolean({ description: 'Whether the address is confirmed' }),
    image: Type.Union([Type.String(), Type.Null()]),
  },
  { additionalProperties: false },
)
export type SessionUser = Static<typeof SessionUser>

/** `organizations`: those the user belongs to, by name. */
export const Session = Type.Object(
  { user: SessionUser, organizations: Type.Array(SessionOrganization) },
  { additionalProperties: false },
)
export type Session = Static<typeof Session>

/** The signed-in user of the browser; null: not signed in. */
export const Visitor = Type.Object(
  { session: Type.Union([Session, Type.Null()]) },
  { additionalProperties: false },
)
export type Visitor = Static<typeof Visitor>

const Name = Type.String({ minLength: 1, pattern: NOT_BLANK, maxLength: NAME_MAX })
const Email = Type.String({ minLength: 1, maxLength: EMAIL_MAX })
/** Of a password that exists: its minimum length is not revealed to an attacker. */
const Password = Type.String({ minLength: 1, maxLength: PASSWORD_MAX })
const NewPassword = Type.String({ minLength: PASSWORD_MIN, maxLength: PASSWORD_MAX })

export const SignUp = Type.Object(
  { name: Name, email: Email, password: NewPassword, organization: NewOrganization },
  { additionalProperties: false },
)
export type SignUp = Static<typeof SignUp>

export const SignIn = Type.Object({ email: Email, password: Password }, { additionalProperties: false })
export type SignIn = Static<typeof SignIn>

export const ForgottenPassword = Type.Object({ email: Email }, { additionalProperties: false })

/** `token`: from the link in the mail. */
export const PasswordReset = Type.Object(
  { token: Type.String({ minLength: 1, maxLength: 200 }), password: NewPassword },
  { additionalProperties: false },
)
export type PasswordReset = Static<typeof PasswordReset>

/** `token`: from the link in the mail. */
export const EmailConfirmation = Type.Object(
  { token: Type.String({ minLength: 1, maxLength: 200 }) },
  { additionalProperties: false },
)

export const PasswordChange = Type.Object(
  { currentPassword: Password, newPassword: NewPassword },
  { additionalProperties: false },
)
export type PasswordChange = Static<typeof PasswordChange>

/** `image`: the publicUrl of a picture that was uploaded to an organization of the user; null takes it away. */
export const ProfilePatch = Type.Object(
  {
    name: Type.Optional(Name),
    image: Type.Optional(Type.Union([Type.String({ minLength: 1, maxLength: 8192 }), Type.Null()])),
  },
  { additionalProperties: false },
)
export type ProfilePatch = Static<typeof ProfilePatch>

/** The answer where there is nothing to tell. */
export const Done = Type.Object({ done: Type.Literal(true) }, { additionalProperties: false })

/** A place where the user is signed in. */
export const Device = Type.Object(
  {
    id: Uuid,
    createdAt: Timestamp,
    lastSeen: Type.String({ description: 'Timestamp; up to 10 minutes behind' }),
    address: Type.Union([Type.String(), Type.Null()], { description: 'Network address at the sign-in' }),
    userAgent: Type.Union([Type.String(), Type.Null()]),
    isCurrent: Type.Boolean({ description: 'Whether it is the session of this request' }),
  },
  { additionalProperties: false },
)
export type Device = Static<typeof Device>

export const DeviceList = Type.Object({ sessions: Type.Array(Device) }, { additionalProperties: false })

export const EndedSessions = Type.Object({ ended: Type.Integer() }, { additionalProperties: false })

/** What the pages before the sign-in need to know. */
export const Installation = Type.Object(
  {
    signUp: Type.Union([Type.Literal('open'), Type.Literal('closed')]),
    sendsMail: Type.Boolean({ description: 'false: an operator passes messages on by hand' }),
  },
  { additionalProperties: false },
)
