// What the service writes to people about their accounts.
import { composeMail, type Mail } from '../mail/message.ts'

interface Addressee {
  name: string
  email: string
}

export const resetMail = ({ name, email }: Addressee, url: string): Mail =>
  composeMail({
    to: email,
    subject: 'Reset your Rapport password',
    before: [`Hello ${name},`, 'Someone, probably you, asked for a new password for your Rapport account.'],
    action: { label: 'Choose a new password', url },
    after: ['The link works once, for an hour. If it was not you, leave it: your password stays as it is.'],
  })

export const verificationMail = ({ name, email }: Addressee, url: string): Mail =>
  composeMail({
    to: email,
    subject: 'Confirm your email address for Rapport',
    before: [
      `Hello ${name},`,
      'A Rapport account was made with this address. Confirm that it is yours: until then the account sends no invitations and no mail.',
    ],
    action: { label: 'Confirm this address', url },
    after: ['The link works for a day. If you made no account, ignore this message.'],
  })

export const passwordChangedMail = ({ name, email }: Addressee, forgottenUrl: string): Mail =>
  composeMail({
    to: email,
    subject: 'Your Rapport password was changed',
    before: [
      `Hello ${name},`,
      'The password of your Rapport account was changed just now, and your other sessions were ended.',
      'If it was not you, reset the password at once, and tell an owner of your organization.',
    ],
    action: { label: 'Reset the password', url: forgottenUrl },
    after: [],
  })
