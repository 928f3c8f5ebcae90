// Requests to better-auth's own addresses, which count attempts per client and cannot be reached from outside.
import { AppError, invalidField, rateLimited, unavailable } from '../base/errors.ts'
import type { Client } from '../http/client.ts'
import type { IdentityContext } from './context.ts'

export interface AuthUser {
  id: string
  name: string
  email: string
  emailVerified: boolean
  image?: string | null
}

interface AuthBody {
  /** better-auth's code for a refusal. */
  code?: string
  message?: string
  user?: AuthUser
}

export interface AuthAnswer {
  body: AuthBody
  /** Set-Cookie headers to pass on. */
  cookies: string[]
}

/** Our errors for better-auth's refusals. Each `path` names a field of our request bodies. */
const REFUSALS: Readonly<Record<string, () => AppError>> = {
  INVALID_EMAIL: () =>
    invalidField('email', 'invalid_email', 'must be an email address, such as ada@example.com'),
  INVALID_EMAIL_OR_PASSWORD: () =>
    new AppError('wrong_credentials', 'Wrong email or password: try again, or reset your password'),
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: () =>
    new AppError('email_taken', 'An account with this email already exists: sign in, or reset your password'),
  // Another request has just inserted a user with this email.
  FAILED_TO_CREATE_USER: () =>
    new AppError('email_taken', 'An account with this email already exists: sign in, or reset your password'),
  INVALID_TOKEN: () =>
    invalidField('token', 'invalid_token', 'has expired or was already used: request a new email'),
  INVALID_PASSWORD: () =>
    invalidField('currentPassword', 'wrong_password', 'is not your password: enter the current one'),
  CREDENTIAL_ACCOUNT_NOT_FOUND: () =>
    invalidField('currentPassword', 'wrong_password', 'is not your password: enter the current one'),
}

function refusalOf(status: number, { code, message }: AuthBody): AppError {
  const refusal = REFUSALS[code ?? '']
  if (refusal) return refusal()
  if (status >= 500) return unavailable('Sign-in is not available: try again shortly')
  return invalidField('', 'refused', message ?? `was refused (${status})`)
}

function readBody(text: string): AuthBody {
  try {
    return (JSON.parse(text) ?? {}) as AuthBody
  } catch {
    return {}
  }
}

async function headersOf({ address, userAgent, cookie }: Client, origin: string): Promise<Headers> {
  const { CLIENT_ADDRESS_HEADER } = await import('./auth.ts')
  // The origin of the real request was checked before (http/session.ts).
  const headers = new Headers({ 'content-type': 'application/json', origin })
  headers.set(CLIENT_ADDRESS_HEADER, address)
  if (userAgent !== undefined) headers.set('user-agent', userAgent)
  if (cookie !== undefined) headers.set('cookie', cookie)
  return headers
}

/**
 * @param request path: below better-auth's base, such as `/sign-in/email`
 * @throws AppError rate_limit_exceeded, or the error for better-auth's refusal
 */
export async function askAuth(
  ctx: Pick<IdentityContext, 'auth'>,
  client: Client,
  request: { path: string; body: object },
): Promise<AuthAnswer> {
  const auth = await ctx.auth()
  const { baseURL } = await auth.context
  const response = await auth.handler(
    new Request(baseURL + request.path, {
      method: 'POST',
      headers: await headersOf(client, new URL(baseURL).origin),
      body: JSON.stringify(request.body),
    }),
  )
  const body = readBody(await response.text())
  if (response.status === 429) throw rateLimited(Number(response.headers.get('x-retry-after')) || 1)
  if (!response.ok) throw refusalOf(response.status, body)
  return { body, cookies: response.headers.getSetCookie() }
}
