// Makes sessions without sign-in: its password hashing takes a tenth of a second for each session.
import { createHmac } from 'node:crypto'
import type { Context } from '../../server/context.ts'

/** @returns the cookie of the session */
export async function openSession(ctx: Pick<Context, 'auth'>, userId: string): Promise<string> {
  const { authCookies, internalAdapter, secret } = await (await ctx.auth()).context
  const { token } = await internalAdapter.createSession(userId)
  const signature = createHmac('sha256', secret).update(token).digest('base64')
  return `${authCookies.sessionToken.name}=${encodeURIComponent(`${token}.${signature}`)}`
}
