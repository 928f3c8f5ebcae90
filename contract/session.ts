// The signed-in user of the dashboard and the user's organizations.
import { type Static, Type } from 'typebox'
import { Deleted, literals, Nullable, StrictObject, Timestamp, Uuid } from './common.ts'
import { EMAIL_MAX, NAME_MAX, PASSWORD_MAX, PASSWORD_MIN } from './limits.ts'
import { RoleSchema } from './members.ts'
import { NOT_BLANK } from './not-blank.ts'
import { NewOrganization, Organization } from './organization.ts'
import type { DashboardRoutes } from './route.ts'

export const SessionOrganization = StrictObject({
  id: Uuid,
  slug: Type.String(),
  name: Type.String(),
  role: RoleSchema,
  country: Type.String({ description: 'ISO 3166-1 alpha-2' }),
  currency: Type.String({ description: 'ISO 4217' }),
  timeZone: Type.String({ description: 'IANA name' }),
})
export type SessionOrganization = Static<typeof SessionOrganization>

export const SessionUser = StrictObject({
  id: Uuid,
  name: Type.String(),
  email: Type.String(),
  emailVerified: Type.Boolean({ description: 'Whether the address is confirmed' }),
  image: Nullable(Type.String()),
})
export type SessionUser = Static<typeof SessionUser>

/** `organizations`: the organizations of the user, sorted by name. */
export const Session = StrictObject({ user: SessionUser, organizations: Type.Array(SessionOrganization) })
export type Session = Static<typeof Session>

/** The signed-in user of the browser; null: not signed in. */
export const Visitor = StrictObject({ session: Nullable(Session) })
export type Visitor = Static<typeof Visitor>

const Name = Type.String({ minLength: 1, pattern: NOT_BLANK, maxLength: NAME_MAX })
const Email = Type.String({ minLength: 1, maxLength: EMAIL_MAX })
/** An existing password. The schema does not reveal the minimum length to attackers. */
const Password = Type.String({ minLength: 1, maxLength: PASSWORD_MAX })
const NewPassword = Type.String({ minLength: PASSWORD_MIN, maxLength: PASSWORD_MAX })

export const SignUp = StrictObject({
  name: Name,
  email: Email,
  password: NewPassword,
  organization: NewOrganization,
})
export type SignUp = Static<typeof SignUp>

export const SignIn = StrictObject({ email: Email, password: Password })
export type SignIn = Static<typeof SignIn>

export const ForgottenPassword = StrictObject({ email: Email })

/** `token`: from the link in the mail. */
export const PasswordReset = StrictObject({
  token: Type.String({ minLength: 1, maxLength: 200 }),
  password: NewPassword,
})
export type PasswordReset = Static<typeof PasswordReset>

/** `token`: from the link in the mail. */
export const EmailConfirmation = StrictObject({ token: Type.String({ minLength: 1, maxLength: 200 }) })

export const PasswordChange = StrictObject({ currentPassword: Password, newPassword: NewPassword })
export type PasswordChange = Static<typeof PasswordChange>

/** `image`: the publicUrl of a picture that was uploaded to an organization of the user; null removes it. */
export const ProfilePatch = StrictObject({
  name: Type.Optional(Name),
  image: Type.Optional(Nullable(Type.String({ minLength: 1, maxLength: 8192 }))),
})
export type ProfilePatch = Static<typeof ProfilePatch>

/** A response without data. */
export const Done = StrictObject({ done: Type.Literal(true) })

/** A browser in which the user is signed in. */
export const Device = StrictObject({
  id: Uuid,
  createdAt: Timestamp,
  lastSeen: Type.String({ description: 'Timestamp; up to 10 minutes old' }),
  address: Nullable(Type.String(), { description: 'IP address at sign-in' }),
  userAgent: Nullable(Type.String()),
  isCurrent: Type.Boolean({ description: 'Whether it is the session of this request' }),
})
export type Device = Static<typeof Device>

export const DeviceList = StrictObject({ sessions: Type.Array(Device) })

export const EndedSessions = StrictObject({ ended: Type.Integer() })

/** Settings that the pages before sign-in require. */
export const Installation = StrictObject({
  signUp: literals(['open', 'closed']),
  sendsMail: Type.Boolean({ description: 'false: no email is sent, and the operator forwards messages' }),
})

export const entranceRoutes = {
  getInstallation: { at: 'GET /installation', response: { 200: Installation } },
  getVisitor: { at: 'GET /visitor', response: { 200: Visitor } },
  signUp: { at: 'POST /sign-up', body: SignUp, response: { 201: Session } },
  signIn: { at: 'POST /sign-in', body: SignIn, response: { 200: Session } },
  signOut: { at: 'POST /sign-out', worksOnFullDisk: true, response: { 200: Done } },
  forgetPassword: {
    at: 'POST /forgot-password',
    body: ForgottenPassword,
    response: { 200: Done },
  },
  resetPassword: { at: 'POST /reset-password', body: PasswordReset, response: { 200: Done } },
  confirmEmail: { at: 'POST /verify-email', body: EmailConfirmation, response: { 200: Done } },
} satisfies DashboardRoutes

export const sessionRoutes = {
  getSession: { at: 'GET /session', response: { 200: Session } },
  changePassword: { at: 'POST /change-password', body: PasswordChange, response: { 200: Done } },
  sendVerification: { at: 'POST /verification-mail', response: { 200: Done } },
  updateProfile: { at: 'PATCH /profile', body: ProfilePatch, response: { 200: SessionUser } },
  listSessions: { at: 'GET /sessions', response: { 200: DeviceList } },
  endOtherSessions: { at: 'DELETE /sessions', worksOnFullDisk: true, response: { 200: EndedSessions } },
  endSession: { at: 'DELETE /sessions/:id', worksOnFullDisk: true, response: { 200: Deleted } },
  createOrganization: {
    at: 'POST /organizations',
    body: NewOrganization,
    response: { 201: Organization },
  },
} satisfies DashboardRoutes
