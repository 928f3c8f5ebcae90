// Sessions without sign-in, whose password hashing would cost a tenth of a second each.
import { createHmac } from 'node:crypto'
import type { Context } from '../../server/context.ts'

/** @returns its cookie */
export async function openSession(ctx: Pick<Context, 'auth'>, userId: string): Promise<string> {
  const { authCookies, internalAdapter, secret } = await (await ctx.auth()).context
  const { token } = await internalAdapter.createSession(userId)
  const signature = createHmac('sha256', secret).update(token).digest('base64')
  return `${authCookies.sessionToken.name}=${encodeURIComponent(`${token}.${signature}`)}`
}
