// Invitations of an organization. Owners and admins make, resend and cancel them.
import { isUuid } from '../../../contract/common.ts'
import type { Invitation, NewInvitation, SentInvitation } from '../../../contract/invitations.ts'
import { INVITATION_DAYS, INVITATION_MAILS_PER_DAY } from '../../../contract/limits.ts'
import type { Role } from '../../../contract/roles.ts'
import { singleLine, unseenHint } from '../../../contract/single-line.ts'
import type { Caller } from '../../base/caller.ts'
import { AppError, invalidField, notFound } from '../../base/errors.ts'
import { hashToken, makeToken } from '../../base/token.ts'
import type { Config } from '../../config/config.ts'
import type { BaseContext } from '../../db/base-context.ts'
import type { Db } from '../../db/pool.ts'
import { composeMail, type Mail } from '../../mail/message.ts'
import { takeMailQuota } from '../../mail/quota.ts'
import type { IdentityContext } from '../context.ts'
import { requireVerified } from '../email-verification.ts'
import { rankOf, requireRank } from '../members/rank.ts'
import { findRole, hasMember, lockMembers } from '../members/store.ts'
import { isEmail } from '../person.ts'
import { getOrganization } from '../service.ts'
import {
  cancelExpiredInvitations,
  cancelInvitation,
  countSends,
  findInvitation,
  insertInvitation,
  type NewInvitationRow,
  renewInvitation,
} from './store.ts'

type InvitationContext = Pick<IdentityContext, 'directory' | 'config' | 'mailer' | 'log'>
type Inviter = Pick<Caller, 'org' | 'orgId' | 'userId' | 'keyId' | 'scopes'>

/** Runs `work` with the highest role that the inviter may give now, while no membership of the organization changes. */
const inviting = <Result>(
  { directory }: { directory: Db },
  inviter: Inviter,
  work: (tx: Db, rank: Role) => Promise<Result>,
): Promise<Result> =>
  directory.transaction(async (tx) => {
    await lockMembers(tx, inviter.orgId)
    const role = await findRole(tx, inviter.org, inviter.userId)
    return work(tx, rankOf(inviter, role))
  })

/** Mails of this installation must not be used for bulk mail. */
async function requireQuota(tx: Db, config: Config, orgId: string): Promise<void> {
  if ((await countSends(tx, orgId)) >= INVITATION_MAILS_PER_DAY)
    throw new AppError(
      'rate_limit_exceeded',
      `An organization can send at most ${INVITATION_MAILS_PER_DAY} invitations a day: try again tomorrow`,
    )
  await takeMailQuota(tx, config, { orgId, mails: 1 })
}

const invitationMail = (
  { email, role, invitedBy }: Pick<Invitation, 'email' | 'role' | 'invitedBy'>,
  organization: string,
  url: string,
): Mail =>
  composeMail({
    to: email,
    subject: `${invitedBy.name} invites you to ${organization} on Rapport`,
    before: [
      'Hello,',
      `${invitedBy.name} (${invitedBy.email}) invites you to work in ${organization} on Rapport, with the role ${role}.`,
    ],
    action: { label: 'Accept the invitation', url },
    after: [
      `The link works once and expires in ${INVITATION_DAYS} days. If you do not know ${invitedBy.name}, ignore this message.`,
    ],
  })

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

async function insertNew(
  { directory: tx, config }: Pick<BaseContext, 'directory' | 'config'>,
  orgId: string,
  row: NewInvitationRow,
): Promise<Invitation> {
  if (await hasMember(tx, orgId, row.email))
    throw new AppError('already_member', `${row.email} is already a member: invite another address`)
  await requireQuota(tx, config, orgId)
  await cancelExpiredInvitations(tx, orgId, row.email)
  const invitation = await insertInvitation(tx, orgId, row)
  if (invitation) return invitation
  throw new AppError(
    'already_invited',
    `${row.email} already has an open invitation: send it again, or cancel it`,
  )
}

/**
 * Invites an email address. A mail that cannot be sent is no error: the link is in the answer.
 * @throws AppError validation_error, insufficient_role, already_member, already_invited, email_unverified,
 *   rate_limit_exceeded
 */
export async function invite(
  ctx: InvitationContext,
  inviter: Inviter,
  { email: written, role: invited }: NewInvitation,
): Promise<SentInvitation> {
  const email = singleLine(written).toLowerCase()
  if (!isEmail(email)) {
    const [message, hint] = ['must be an email address, such as ada@example.com', unseenHint(email)]
    throw invalidField('email', 'invalid_email', message + hint)
  }
  const token = makeToken()
  const row = { email, role: invited, tokenHash: hashToken(token), inviterId: inviter.userId }
  const invitation = await inviting(ctx, inviter, async (tx, rank) => {
    // An admin who invited an owner would hold a link that makes one.
    requireRank(inviter, rank, [invited])
    await requireVerified(tx, inviter.userId)
    return insertNew({ ...ctx, directory: tx }, inviter.orgId, row)
  })
  return sendInvitation(ctx, inviter, { invitation, token })
}

async function requireInvitation(tx: Db, inviter: Inviter, { id, rank }: { id: string; rank: Role }) {
  const invitation = isUuid(id) ? await findInvitation(tx, inviter.orgId, id) : undefined
  if (!invitation) throw notFound('open invitation')
  requireRank(inviter, rank, [invitation.role])
}

/** Sends a new link, valid for a week; the old link no longer works. @throws AppError as `invite`, and not_found */
export async function resend(ctx: InvitationContext, inviter: Inviter, id: string): Promise<SentInvitation> {
  const token = makeToken()
  const renewal = { id, tokenHash: hashToken(token), inviterId: inviter.userId }
  const invitation = await inviting(ctx, inviter, async (tx, rank) => {
    await requireInvitation(tx, inviter, { id, rank })
    await requireVerified(tx, inviter.userId)
    await requireQuota(tx, ctx.config, inviter.orgId)
    return renewInvitation(tx, inviter.orgId, renewal)
  })
  if (!invitation) throw notFound('open invitation')
  return sendInvitation(ctx, inviter, { invitation, token })
}

/** The invitation's link no longer works then. @throws AppError not_found, insufficient_role */
export function cancelOpenInvitation(ctx: InvitationContext, inviter: Inviter, id: string): Promise<void> {
  return inviting(ctx, inviter, async (tx, rank) => {
    await requireInvitation(tx, inviter, { id, rank })
    if ((await cancelInvitation(tx, inviter.orgId, id)) === 0) throw notFound('open invitation')
  })
}
