// Signing up, in and out, and passwords. Every attempt counts against the address it comes from.
import type { PasswordChange, PasswordReset, Session, SignIn, SignUp } from '../../contract/session.ts'
import type { Context } from '../context.ts'
import { AppError, invalid } from '../errors.ts'
import type { Client } from '../http/client.ts'
import type { SignedIn } from '../http/session.ts'
import { seedStandardObjects } from '../objects/standard.ts'
import { type AuthAnswer, askAuth } from './ask-auth.ts'
import { passwordChangedMail } from './mails.ts'
import { checkOrganization, type OrganizationFields, organizationProblems } from './new-organization.ts'
import { type NewPerson, personProblems } from './person.ts'
import { insertOrganizationWhole, requireTimeZone } from './service.ts'
import { deleteUserWithoutMemberships, type Organization, selectOrganizationsOf } from './store.ts'

type AccountContext = Pick<Context, 'db' | 'auth' | 'config' | 'mailer'>

/** `cookies`: Set-Cookie headers of the session. */
export interface Entrance {
  session: Session
  cookies: string[]
}

const closedError = () =>
  new AppError('sign_up_closed', 'Sign-up is closed here: ask an owner or admin to invite you')

/** The session as the dashboard sees it. */
export async function describeSession(
  ctx: Pick<Context, 'db'>,
  { id, name, email, image }: { id: string; name: string; email: string; image?: string | null },
): Promise<Session> {
  const organizations = await selectOrganizationsOf(ctx.db, id)
  return { user: { id, name, email, image: image ?? null }, organizations }
}

function userOf({ body: { user } }: AuthAnswer) {
  if (!user) throw new Error('Sign-in answered no user')
  return user
}

/** @throws AppError wrong_credentials, rate_limit_exceeded, validation_error */
export async function signIn(ctx: AccountContext, client: Client, body: SignIn): Promise<Entrance> {
  const answer = await askAuth(ctx, { ...client, cookie: undefined }, { path: '/sign-in/email', body })
  return { session: await describeSession(ctx, userOf(answer)), cookies: answer.cookies }
}

/** Ends the session, if there is one. @returns the cookies that forget it */
export async function signOut(ctx: AccountContext, client: Client): Promise<string[]> {
  return (await askAuth(ctx, client, { path: '/sign-out', body: {} })).cookies
}

export interface NewUser {
  user: ReturnType<typeof userOf>
  cookies: string[]
}

/**
 * Makes a user and signs them in. They belong to no organization yet: whoever calls sees to that, or takes the
 * user back. @throws AppError email_taken, rate_limit_exceeded, validation_error
 */
export async function makeUser(ctx: AccountContext, client: Client, person: NewPerson): Promise<NewUser> {
  const { name, email, password } = person
  const body = { name: name.trim(), email: email.toLowerCase(), password }
  const answer = await askAuth(ctx, { ...client, cookie: undefined }, { path: '/sign-up/email', body })
  return { user: userOf(answer), cookies: answer.cookies }
}

const makeOrganization = (ctx: AccountContext, fields: OrganizationFields, userId: string) =>
  insertOrganizationWhole(
    { db: ctx.db, seedStandardObjects: (tx, { org }) => seedStandardObjects(tx, org) },
    checkOrganization(fields),
    userId,
  )

/**
 * Makes a user with an organization of their own, and signs them in.
 * @throws AppError sign_up_closed, email_taken, rate_limit_exceeded, validation_error
 */
export async function signUp(ctx: AccountContext, client: Client, body: SignUp): Promise<Entrance> {
  if (ctx.config.signUp === 'closed') throw closedError()
  const { organization, ...person } = body
  const problems = [...personProblems(person), ...organizationProblems(organization, 'organization.')]
  if (problems.length > 0) throw invalid('validation_error', problems)
  await requireTimeZone(ctx.db, organization.timeZone, 'organization.timeZone')
  const { user, cookies } = await makeUser(ctx, client, person)
  try {
    await makeOrganization(ctx, organization, user.id)
  } catch (error) {
    await deleteUserWithoutMemberships(ctx.db, user.id)
    throw error
  }
  return { session: await describeSession(ctx, user), cookies }
}

/** Another organization, owned by a user who is signed in. @throws AppError sign_up_closed, validation_error */
export async function addOrganization(
  ctx: AccountContext,
  userId: string,
  fields: OrganizationFields,
): Promise<Organization> {
  if (ctx.config.signUp === 'closed') throw closedError()
  return makeOrganization(ctx, fields, userId)
}

/** Sends a link where the e-mail has an account; the answer is the same where it has none. */
export async function forgetPassword(ctx: AccountContext, client: Client, email: string): Promise<void> {
  await askAuth(ctx, { ...client, cookie: undefined }, { path: '/request-password-reset', body: { email } })
}

/** Ends every session of the user. @throws AppError validation_error when the token is dead */
export async function resetPassword(
  ctx: AccountContext,
  client: Client,
  { token, password }: PasswordReset,
): Promise<void> {
  const body = { token, newPassword: password }
  await askAuth(ctx, { ...client, cookie: undefined }, { path: '/reset-password', body })
}

/** Ends every other session; this one goes on under a new cookie. @throws AppError validation_error */
export async function changePassword(
  ctx: AccountContext,
  client: Client,
  { user, change }: { user: SignedIn['user']; change: PasswordChange },
): Promise<string[]> {
  const body = { ...change, revokeOtherSessions: true }
  const { cookies } = await askAuth(ctx, client, { path: '/change-password', body })
  ctx.mailer.post(passwordChangedMail(user, `${ctx.config.baseUrl}/forgot-password`))
  return cookies
}
