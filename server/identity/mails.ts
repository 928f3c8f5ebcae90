// The mails that the service sends to people about their accounts.
import { composeMail, type Mail } from '../mail/message.ts'

interface Addressee {
  name: string
  email: string
}

export const resetMail = ({ name, email }: Addressee, url: string): Mail =>
  composeMail({
    to: email,
    subject: 'Reset your Rapport password',
    before: [`Hello ${name},`, 'Someone, probably you, requested a new password for your Rapport account.'],
    action: { label: 'Choose a new password', url },
    after: [
      'The link works once and expires in an hour. If it was not you, ignore this message: your password stays the same.',
    ],
  })

export const verificationMail = ({ name, email }: Addressee, url: string): Mail =>
  composeMail({
    to: email,
    subject: 'Confirm your email address for Rapport',
    before: [
      `Hello ${name},`,
      'A Rapport account was created with this address. Please confirm that it is yours: until then, the account cannot send invitations or other emails.',
    ],
    action: { label: 'Confirm email address', url },
    after: ['The link expires in a day. If you did not create an account, ignore this message.'],
  })

export const passwordChangedMail = ({ name, email }: Addressee, forgottenUrl: string): Mail =>
  composeMail({
    to: email,
    subject: 'Your Rapport password was changed',
    before: [
      `Hello ${name},`,
      'The password of your Rapport account was just changed, and you were signed out of all other sessions.',
      'If it was not you, reset your password now and tell an owner of your organization.',
    ],
    action: { label: 'Reset password', url: forgottenUrl },
    after: [],
  })
