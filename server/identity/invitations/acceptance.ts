// Accepting an invitation, as the signed-in user or as a new user with the invited address.
import type {
  AcceptedInvitation,
  InvitationAcceptance,
  OpenedInvitation,
} from '../../../contract/invitations.ts'
import { AppError, invalid, notFound } from '../../base/errors.ts'
import { hashToken } from '../../base/token.ts'
import type { Db } from '../../db/pool.ts'
import type { Client } from '../../http/client.ts'
import type { SignedIn } from '../../http/session.ts'
import { describeSession, makeUser } from '../accounts.ts'
import type { IdentityContext } from '../context.ts'
import { sendVerification } from '../email-verification.ts'
import { refuseCommonPassword } from '../guessable-password.ts'
import { announceMembers } from '../members/member-changes.ts'
import { insertMember, lockMembers } from '../members/store.ts'
import { type NewPerson, personProblems } from '../person.ts'
import { deleteUserWithoutMemberships } from '../store.ts'
import { findOpened, type OpenedRow, takeInvitation } from './store.ts'

type AcceptanceContext = Pick<
  IdentityContext,
  'auth' | 'cell' | 'cells' | 'config' | 'directory' | 'inCell' | 'log' | 'mailer'
>

const CLOSED: Readonly<Record<OpenedInvitation['state'], string>> = {
  pending: 'This invitation has changed: open the newest link',
  expired: 'This invitation has expired: ask for a new invitation',
  accepted: 'This invitation was already accepted: sign in',
  cancelled: 'This invitation was cancelled: ask for a new invitation',
}

const closed = (state: OpenedInvitation['state']) =>
  new AppError('invitation_closed', CLOSED[state], { state })

/** @throws AppError not_found: the link is wrong, or a newer link was sent */
export async function openInvitation({ directory }: { directory: Db }, token: string): Promise<OpenedRow> {
  const found = await findOpened(directory, hashToken(token))
  if (!found) throw notFound('invitation', 'check the link for typing errors, or use the newest one')
  return found
}

/** Adds the membership and ends the invitation, or does neither. @throws AppError invitation_closed */
async function join(
  ctx: AcceptanceContext,
  { org, orgId, cell, id, role }: OpenedRow,
  { userId, tokenHash }: { userId: string; tokenHash: Buffer },
): Promise<void> {
  const isTaken = await ctx.directory.transaction(async (tx) => {
    await lockMembers(tx, orgId)
    if ((await takeInvitation(tx, orgId, { id, tokenHash })) === 0) return false
    await insertMember(tx, orgId, { userId, role })
    return true
  })
  if (!isTaken) throw closed((await findOpened(ctx.directory, tokenHash))?.state ?? 'pending')
  await announceMembers(ctx, { org, cell, userId }, userId)
}

async function personOf(
  { email, hasAccount }: OpenedRow,
  { name, password }: InvitationAcceptance,
): Promise<NewPerson> {
  if (hasAccount)
    throw new AppError('sign_in_required', `${email} already has an account: sign in, then accept`)
  const missing = Object.entries({ name, password }).filter(([, value]) => value === undefined)
  if (missing.length > 0)
    throw invalid(
      'validation_error',
      missing.map(([path]) => ({ path, code: 'required', message: 'is required: send text' })),
    )
  const person = { email, name: name ?? '', password: password ?? '' }
  const problems = [...personProblems(person)]
  if (problems.length > 0) throw invalid('validation_error', problems)
  await refuseCommonPassword(person.password, person)
  return person
}

interface Acceptance {
  token: string
  /** undefined: the visitor is not signed in. */
  signedIn: SignedIn | undefined
  body: InvitationAcceptance
}

interface Accepted {
  answer: AcceptedInvitation
  /** Set-Cookie headers of a new user's session. */
  cookies: string[]
}

async function acceptAsNewUser(
  ctx: AcceptanceContext,
  client: Client,
  { invitation, token, body }: { invitation: OpenedRow; token: string; body: InvitationAcceptance },
): Promise<Accepted> {
  const { user, cookies } = await makeUser(ctx, client, await personOf(invitation, body))
  try {
    await join(ctx, invitation, { userId: user.id, tokenHash: hashToken(token) })
  } catch (error) {
    await deleteUserWithoutMemberships(ctx.directory, user.id)
    throw error
  }
  await sendVerification(ctx, user)
  const session = await describeSession(ctx, user)
  return { answer: { ...session, organization: invitation.slug }, cookies }
}

/**
 * Joins the organization. The email of a new user does not count as verified: the inviter has seen the link too.
 * @throws AppError not_found, invitation_closed, wrong_user, sign_in_required, validation_error, rate_limit_exceeded
 */
export async function acceptInvitation(
  ctx: AcceptanceContext,
  client: Client,
  { token, signedIn, body }: Acceptance,
): Promise<Accepted> {
  const invitation = await openInvitation(ctx, token)
  if (invitation.state !== 'pending') throw closed(invitation.state)
  if (!signedIn) return acceptAsNewUser(ctx, client, { invitation, token, body })
  if (signedIn.user.email !== invitation.email)
    throw new AppError(
      'wrong_user',
      `This invitation is for ${invitation.email}: sign out, then open it again`,
    )
  await join(ctx, invitation, { userId: signedIn.user.id, tokenHash: hashToken(token) })
  const session = await describeSession(ctx, signedIn.user)
  return { answer: { ...session, organization: invitation.slug }, cookies: [] }
}
