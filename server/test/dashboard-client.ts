// Members of an organization, signed in to the dashboard.
import { createHmac } from 'node:crypto'
import type { InjectOptions, LightMyRequestResponse as Response } from 'fastify'
import sql from 'sql-template-tag'
import type { Role } from '../../contract/roles.ts'
import { newId } from '../base/id.ts'
import type { Context } from '../context.ts'

type Inject = (options: InjectOptions) => Promise<Response>
type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** @param body undefined: none; a text or bytes are sent unchanged, other values as JSON */
type Send = <Body = Record<string, unknown>>(
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<Reply<Body>>

export interface Reply<Body = Record<string, unknown>> {
  status: number
  body: Body
  headers: Response['headers']
}

export interface Requests {
  get<Body = Record<string, unknown>>(path: string, headers?: Record<string, string>): Promise<Reply<Body>>
  post: Send
  put: Send
  patch: Send
  delete: Send
}

export interface SignedInMember extends Requests {
  userId: string
  memberId: string
  email: string
  cookie: string
  /** Requests outside the organization: `session.get('/session')`. */
  session: Requests
}

const parsed = (payload: string) => (payload === '' ? {} : JSON.parse(payload))

/** @param credentials headers of every request @param base the beginning of every path */
export function requestsWith(inject: Inject, credentials: Record<string, string>, base: string): Requests {
  const send =
    (method: Method): Send =>
    async (path, body, headers) => {
      const isText = typeof body === 'string' || Buffer.isBuffer(body)
      const response = await inject({
        method,
        url: `${base}${path}`,
        headers: {
          ...credentials,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { payload: isText ? body : JSON.stringify(body) }),
      })
      const isJson = String(response.headers['content-type'] ?? '').startsWith('application/json')
      return {
        status: response.statusCode,
        body: isJson ? parsed(response.payload) : (response.payload as never),
        headers: response.headers,
      }
    }
  const get = send('GET')
  return {
    get: (path, headers) => get(path, undefined, headers),
    post: send('POST'),
    put: send('PUT'),
    patch: send('PATCH'),
    delete: send('DELETE'),
  }
}

/** Requests to the dashboard's API, below `base`. */
export const dashboardRequests = (inject: Inject, base: string, cookie?: string): Requests =>
  requestsWith(inject, cookie === undefined ? {} : { cookie }, base)

/** Makes a session as signing in does, without checking a password, which takes a tenth of a second. */
async function openSession(ctx: Context, userId: string): Promise<string> {
  const { authCookies, internalAdapter, secret } = await (await ctx.auth()).context
  const { token } = await internalAdapter.createSession(userId)
  const signature = createHmac('sha256', secret).update(token).digest('base64')
  return `${authCookies.sessionToken.name}=${encodeURIComponent(`${token}.${signature}`)}`
}

/** Makes a new member of the organization, who is signed in. */
export async function signInMember(
  ctx: Context,
  inject: Inject,
  { orgId, role }: { orgId: string; role: Role },
): Promise<SignedInMember> {
  const [userId, memberId] = [newId(), newId()]
  const email = `${role}-${userId}@example.com`
  await ctx.directory.run(
    sql`insert into users (id, name, email, email_verified) values (${userId}, 'Mia Member', ${email}, true)`,
  )
  await ctx.directory.run(sql`
    insert into members (id, organization_id, user_id, role) values (${memberId}, ${orgId}, ${userId}, ${role})`)
  await ctx.cells.copy()
  const { slug } = await ctx.directory.one<{ slug: string }>(
    sql`select slug from organizations where id = ${orgId}`,
  )
  const cookie = await openSession(ctx, userId)
  return {
    userId,
    memberId,
    email,
    cookie,
    session: dashboardRequests(inject, '/dashboard/api', cookie),
    ...dashboardRequests(inject, `/dashboard/api/organizations/${slug}`, cookie),
  }
}
