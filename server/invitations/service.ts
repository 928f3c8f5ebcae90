// Invitations of an organization: made, sent again and cancelled by owners and admins.
import { isUuid } from '../../contract/common.ts'
import type { Invitation, NewInvitation, SentInvitation } from '../../contract/invitations.ts'
import { INVITATION_MAILS_PER_DAY } from '../../contract/limits.ts'
import type { Role } from '../../contract/roles.ts'
import type { Caller, Context } from '../context.ts'
import { AppError, insufficientRole, invalidField, notFound } from '../errors.ts'
import { isEmail } from '../identity/person.ts'
import { getOrganization } from '../identity/service.ts'
import { hasMember } from '../members/store.ts'
import { hashToken, makeToken } from '../token.ts'
import { invitationMail } from './mail.ts'
import {
  cancelExpired,
  cancelInvitation,
  countSends,
  findInvitation,
  insertInvitation,
  renewInvitation,
} from './store.ts'

type InvitationContext = Pick<Context, 'db' | 'config' | 'mailer' | 'log'>

export interface Inviter extends Pick<Caller, 'orgId' | 'userId'> {
  role: Role
}

/** Only owners make owners, or hold a link that makes one. */
function requireRank({ role }: Inviter, invited: Role): void {
  if (invited === 'owner' && role !== 'owner') throw insufficientRole('owner')
}

/** Mails in the name of this installation are not for bulk. */
async function requireQuota(ctx: InvitationContext, orgId: string): Promise<void> {
  if ((await countSends(ctx.db, orgId)) < INVITATION_MAILS_PER_DAY) return
  throw new AppError(
    'rate_limit_exceeded',
    `An organization sends at most ${INVITATION_MAILS_PER_DAY} invitations a day: try again tomorrow`,
  )
}

async function sendInvitation(
  ctx: InvitationContext,
  { orgId }: Inviter,
  { invitation, token }: { invitation: Invitation; token: string },
): Promise<SentInvitation> {
  const inviteUrl = `${ctx.config.baseUrl}/invitation/${token}`
  const { name } = await getOrganization(ctx, orgId)
  try {
    await ctx.mailer.send(invitationMail(invitation, name, inviteUrl))
    return { ...invitation, inviteUrl, mail: ctx.mailer.sendsMail ? 'sent' : 'kept' }
  } catch (err) {
    ctx.log.error({ err, invitation: invitation.id }, 'an invitation was not sent')
    return { ...invitation, inviteUrl, mail: 'failed' }
  }
}

async function insertNew(ctx: InvitationContext, { orgId, userId }: Inviter, input: NewInvitation) {
  const token = makeToken()
  const row = { ...input, tokenHash: hashToken(token), inviterId: userId }
  const invitation = await ctx.db.transaction(async (tx) => {
    await cancelExpired(tx, orgId, row.email)
    return insertInvitation(tx, orgId, row)
  })
  if (invitation) return { invitation, token }
  throw new AppError('already_invited', `${row.email} has an open invitation: send it again, or cancel it`)
}

/**
 * Invites an e-mail address. A mail that cannot be sent does not matter: the link is in the answer.
 * @throws AppError validation_error, insufficient_role, already_member, already_invited, rate_limit_exceeded
 */
export async function invite(
  ctx: InvitationContext,
  inviter: Inviter,
  { email: written, role }: NewInvitation,
): Promise<SentInvitation> {
  const email = written.trim().toLowerCase()
  if (!isEmail(email)) throw invalidField('email', 'invalid_email', 'is not an e-mail address')
  requireRank(inviter, role)
  if (await hasMember(ctx.db, inviter.orgId, email))
    throw new AppError('already_member', `${email} is a member already`)
  await requireQuota(ctx, inviter.orgId)
  return sendInvitation(ctx, inviter, await insertNew(ctx, inviter, { email, role }))
}

async function requireInvitation(ctx: InvitationContext, inviter: Inviter, id: string): Promise<void> {
  const invitation = isUuid(id) ? await findInvitation(ctx.db, inviter.orgId, id) : undefined
  if (!invitation) throw notFound('open invitation')
  requireRank(inviter, invitation.role)
}

/** Sends a new link, good for a week; the one before is dead. @throws AppError as `invite`, and not_found */
export async function resend(ctx: InvitationContext, inviter: Inviter, id: string): Promise<SentInvitation> {
  await requireInvitation(ctx, inviter, id)
  await requireQuota(ctx, inviter.orgId)
  const token = makeToken()
  const renewal = { id, tokenHash: hashToken(token), inviterId: inviter.userId }
  const invitation = await renewInvitation(ctx.db, inviter.orgId, renewal)
  if (!invitation) throw notFound('open invitation')
  return sendInvitation(ctx, inviter, { invitation, token })
}

/** Its link is dead from now on. @throws AppError not_found, insufficient_role */
export async function cancel(ctx: InvitationContext, inviter: Inviter, id: string): Promise<void> {
  await requireInvitation(ctx, inviter, id)
  if ((await cancelInvitation(ctx.db, inviter.orgId, id)) === 0) throw notFound('open invitation')
}
