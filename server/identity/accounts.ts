// Signing up, in and out, and passwords. Every attempt counts against the address it comes from.
import type { Logger } from 'pino'
import type { PasswordChange, PasswordReset, Session, SignIn, SignUp } from '../../contract/session.ts'
import { AppError, invalid } from '../base/errors.ts'
import type { Db } from '../db/pool.ts'
import type { Client } from '../http/client.ts'
import type { SignedIn } from '../http/session.ts'
import { seedStandardObjects } from '../model/objects/standard.ts'
import { type AuthAnswer, type AuthUser, askAuth } from './ask-auth.ts'
import type { IdentityContext } from './context.ts'
import { requireVerified, sendVerification } from './email-verification.ts'
import { refuseCommonPassword } from './guessable-password.ts'
import { passwordChangedMail } from './mails.ts'
import { checkOrganization, type OrganizationFields, organizationProblems } from './new-organization.ts'
import { isEmail, type NewPerson, personProblems } from './person.ts'
import { insertOrganizationWhole, requireTimeZone } from './service.ts'
import { endThrottle, passAttempt, type SignInAttempt, startAttempt } from './sign-in-throttle.ts'
import {
  countOwned,
  deleteResetLinks,
  deleteUserWithoutMemberships,
  type StoredOrganization,
  selectOrganizationsOf,
} from './store.ts'
import { lockUser, verifyUser } from './verification-store.ts'

type AccountContext = Pick<IdentityContext, 'cells' | 'directory' | 'auth' | 'config' | 'mailer'>

/** `cookies`: Set-Cookie headers of the session. */
export interface Entrance {
  session: Session
  cookies: string[]
}

const closedError = () =>
  new AppError(
    'sign_up_closed',
    'Sign-up is closed on this installation: ask an owner or admin to invite you',
  )

/** The session as the dashboard sees it. */
export async function describeSession(
  ctx: { directory: Db },
  { id, name, email, emailVerified, image }: AuthUser,
): Promise<Session> {
  const organizations = await selectOrganizationsOf(ctx.directory, id)
  return { user: { id, name, email, emailVerified, image: image ?? null }, organizations }
}

function userOf({ body: { user } }: AuthAnswer) {
  if (!user) throw new Error('Sign-in answered no user')
  return user
}

const REFUSED = ['wrong_credentials', 'rate_limit_exceeded']

/** For operators, who detect attacks with it. Text that is no email address may be a password in the wrong field. */
function logRefusal({ log }: { log: Logger }, { email, address }: SignInAttempt, error: unknown): void {
  if (!(error instanceof AppError) || !REFUSED.includes(error.code)) return
  const account = isEmail(email) ? email.toLowerCase() : 'not an email address'
  log.warn({ account, address, reason: error.code }, 'a sign-in was refused')
}

/** @throws AppError wrong_credentials, rate_limit_exceeded, validation_error */
export async function signIn(
  ctx: AccountContext & { log: Logger },
  client: Client,
  body: SignIn,
): Promise<Entrance> {
  const attempt = { email: body.email, address: client.address }
  const enter = async () => {
    await startAttempt(ctx.directory, attempt)
    return askAuth(ctx, { ...client, cookie: undefined }, { path: '/sign-in/email', body })
  }
  const answer = await enter().catch((error: unknown) => {
    logRefusal(ctx, attempt, error)
    throw error
  })
  await passAttempt(ctx.directory, attempt)
  return { session: await describeSession(ctx, userOf(answer)), cookies: answer.cookies }
}

/** Ends the session, if there is one. @returns the cookies that delete the session cookie */
export async function signOut(ctx: AccountContext, client: Client): Promise<string[]> {
  return (await askAuth(ctx, client, { path: '/sign-out', body: {} })).cookies
}

export interface NewUser {
  user: ReturnType<typeof userOf>
  cookies: string[]
}

/**
 * Makes a user and signs them in. They belong to no organization yet: the caller adds them to one, or deletes the
 * user again. @throws AppError email_taken, rate_limit_exceeded, validation_error
 */
export async function makeUser(ctx: AccountContext, client: Client, person: NewPerson): Promise<NewUser> {
  const { name, email, password } = person
  const body = { name: name.trim(), email: email.toLowerCase(), password }
  const answer = await askAuth(ctx, { ...client, cookie: undefined }, { path: '/sign-up/email', body })
  await passAttempt(ctx.directory, { email, address: client.address })
  return { user: userOf(answer), cookies: answer.cookies }
}

const makeOrganization = (ctx: AccountContext, fields: OrganizationFields, userId: string) =>
  insertOrganizationWhole(
    { ...ctx, seedStandardObjects: (tx, { org }) => seedStandardObjects(tx, org) },
    checkOrganization(fields),
    userId,
  )

/**
 * Makes a user with their own organization, and signs them in.
 * @throws AppError sign_up_closed, email_taken, rate_limit_exceeded, validation_error
 */
export async function signUp(ctx: AccountContext, client: Client, body: SignUp): Promise<Entrance> {
  if (ctx.config.signUp === 'closed') throw closedError()
  const { organization, ...person } = body
  const problems = [...personProblems(person), ...organizationProblems(organization, 'organization.')]
  if (problems.length > 0) throw invalid('validation_error', problems)
  await refuseCommonPassword(person.password, person)
  await requireTimeZone(ctx.directory, organization.timeZone, 'organization.timeZone')
  const { user, cookies } = await makeUser(ctx, client, person)
  try {
    await makeOrganization(ctx, organization, user.id)
  } catch (error) {
    await deleteUserWithoutMemberships(ctx.directory, user.id)
    throw error
  }
  await sendVerification(ctx, user)
  return { session: await describeSession(ctx, user), cookies }
}

async function requireFewOrganizations(tx: Db, userId: string, max: number): Promise<void> {
  if ((await countOwned(tx, userId)) < max) return
  throw new AppError(
    'limit_reached',
    `A user can own at most ${max} organizations: ask the operator to raise ORGANIZATIONS_PER_USER`,
  )
}

/**
 * Another organization, owned by a user who is signed in.
 * @throws AppError sign_up_closed, email_unverified, limit_reached, validation_error
 */
export async function addOrganization(
  ctx: AccountContext,
  userId: string,
  fields: OrganizationFields,
): Promise<StoredOrganization> {
  if (ctx.config.signUp === 'closed') throw closedError()
  await requireVerified(ctx.directory, userId)
  return ctx.directory.transaction(async (tx) => {
    await lockUser(tx, userId)
    await requireFewOrganizations(tx, userId, ctx.config.organizationsPerUser)
    return makeOrganization({ ...ctx, directory: tx }, fields, userId)
  })
}

/** Sends a link if the email has an account. The answer is the same if it has none. */
export async function forgetPassword(ctx: AccountContext, client: Client, email: string): Promise<void> {
  await askAuth(ctx, { ...client, cookie: undefined }, { path: '/request-password-reset', body: { email } })
}

/** The user for whom the link for a new password was made. */
async function findResetUser(ctx: AccountContext, token: string): Promise<string | undefined> {
  const { internalAdapter } = await (await ctx.auth()).context
  return (await internalAdapter.findVerificationValue(`reset-password:${token}`))?.value
}

/** The link came by mail, so the address is the user's. Ends the waits that other people's guesses caused. */
async function settleReset(ctx: AccountContext, userId: string, { address }: Client): Promise<void> {
  await deleteResetLinks(ctx.directory, userId)
  const user = await verifyUser(ctx.directory, userId)
  if (user) await endThrottle(ctx.directory, { email: user.email, address })
}

/**
 * Ends every session of the user, every other link for a new password, and every wait after wrong passwords.
 * @throws AppError validation_error when the token has expired, was used, or does not exist
 */
export async function resetPassword(
  ctx: AccountContext,
  client: Client,
  { token, password }: PasswordReset,
): Promise<void> {
  await refuseCommonPassword(password, {})
  const userId = await findResetUser(ctx, token)
  const body = { token, newPassword: password }
  await askAuth(ctx, { ...client, cookie: undefined }, { path: '/reset-password', body })
  if (userId !== undefined) await settleReset(ctx, userId, client)
}

/**
 * Ends every other session and every link for a new password. The user's session continues under a new cookie.
 * @throws AppError validation_error
 */
export async function changePassword(
  ctx: AccountContext,
  client: Client,
  { user, change }: { user: SignedIn['user']; change: PasswordChange },
): Promise<string[]> {
  await refuseCommonPassword(change.newPassword, user, 'newPassword')
  const body = { ...change, revokeOtherSessions: true }
  const { cookies } = await askAuth(ctx, client, { path: '/change-password', body })
  await deleteResetLinks(ctx.directory, user.id)
  ctx.mailer.post(passwordChangedMail(user, `${ctx.config.baseUrl}/forgot-password`))
  return cookies
}
