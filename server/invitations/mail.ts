// What an invited person reads.
import type { Invitation } from '../../contract/invitations.ts'
import { INVITATION_DAYS } from '../../contract/limits.ts'
import { composeMail, type Mail } from '../mail/message.ts'

export const invitationMail = (
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
