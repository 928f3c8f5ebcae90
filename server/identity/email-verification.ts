// Confirming an email address. A user without a confirmed address can work with data, but cannot make another
// organization or invite users, and the user's organization sends no mail.

import { AppError, invalidField, rateLimited } from '../base/errors.ts'
import { hashToken, makeToken } from '../base/token.ts'
import type { Db } from '../db/pool.ts'
import type { IdentityContext } from './context.ts'
import { verificationMail } from './mails.ts'
import {
  countLinks,
  insertVerificationLink,
  isVerified,
  lockUser,
  verifyByLink,
} from './verification-store.ts'

type VerificationContext = Pick<IdentityContext, 'directory' | 'config' | 'mailer'>

interface Addressee {
  id: string
  name: string
  email: string
}

const LINKS_PER_HOUR = 3

/** @throws AppError email_unverified */
export async function requireVerified(db: Db, userId: string): Promise<void> {
  if (await isVerified(db, userId)) return
  throw new AppError(
    'email_unverified',
    'Confirm your email address first: open the link in the message we sent you, or request a new one',
  )
}

async function makeLink(tx: Db, { id, email }: Addressee): Promise<string> {
  await lockUser(tx, id)
  const { links, secondsLeft } = await countLinks(tx, id)
  if (links >= LINKS_PER_HOUR) throw rateLimited(secondsLeft)
  const token = makeToken()
  await insertVerificationLink(tx, { tokenHash: hashToken(token), userId: id, email })
  return token
}

/**
 * Sends a link that confirms the address, unless it is already confirmed. The message is sent after the answer.
 * @throws AppError rate_limit_exceeded: a user can cause at most three such messages an hour
 */
export async function sendVerification(ctx: VerificationContext, user: Addressee): Promise<void> {
  if (await isVerified(ctx.directory, user.id)) return
  const token = await ctx.directory.transaction((tx) => makeLink(tx, user))
  ctx.mailer.post(verificationMail(user, `${ctx.config.baseUrl}/verify-email?token=${token}`))
}

/** @param token from the link @throws AppError validation_error if the link is unknown or has expired */
export async function confirmEmail({ directory }: { directory: Db }, token: string): Promise<void> {
  if ((await verifyByLink(directory, hashToken(token))) > 0) return
  throw invalidField(
    'token',
    'invalid_token',
    'is not valid or has expired: sign in and request a new message',
  )
}
