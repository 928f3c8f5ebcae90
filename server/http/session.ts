// The dashboard's counterpart of authenticate.ts: a session in place of the key, a role in place of its scopes.
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { isAtLeast, type Role, SCOPES_OF_ROLE } from '../../contract/roles.ts'
import type { SessionUser } from '../../contract/session.ts'
import type { Caller } from '../context.ts'
import { AppError, insufficientRole, notFound, unauthorized } from '../errors.ts'

export interface SignedIn {
  sessionId: string
  user: SessionUser
}

export interface Membership extends Caller {
  role: Role
}

export interface Sessions {
  /** `cookies`: Set-Cookie headers to pass on, such as of a session that lives longer by being used. */
  find(headers: IncomingHttpHeaders): Promise<{ signedIn: SignedIn | undefined; cookies: string[] }>
  /** undefined: there is no such organization, or the user is not a member. */
  enter(userId: string, organization: string): Promise<Membership | undefined>
}

const READING = new Set(['GET', 'HEAD'])

/** Browsers say where a request comes from; whoever says nothing is no browser and holds no cookie by accident. */
function isForeign({ headers }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  const { origin } = headers
  if (origin === undefined) return false
  if (!URL.canParse(origin)) return true
  const { protocol, host } = new URL(origin)
  // Read as an address, so that a default port counts the same whether it is written or not.
  const own = `${protocol}//${headers.host}`
  return !URL.canParse(own) || new URL(own).host !== host
}

/** An onRequest hook against cross-site forgery, beside SameSite=Lax of the cookies. */
export async function refuseForeignOrigins(request: FastifyRequest): Promise<void> {
  if (!READING.has(request.method) && isForeign(request))
    throw new AppError('foreign_origin', 'This request comes from a page of another site: open the dashboard')
}

/** An onRequest hook. */
export const requireSession =
  (sessions: Sessions) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { signedIn, cookies } = await sessions.find(request.headers)
    if (cookies.length > 0) reply.header('set-cookie', cookies)
    if (!signedIn) throw unauthorized('Your session has ended: sign in again')
    request.signedIn = signedIn
  }

function requireRight(request: FastifyRequest, role: Role): void {
  const { scope, role: least } = request.routeOptions.config
  if (least && !isAtLeast(role, least)) throw insufficientRole(least)
  if (scope && !SCOPES_OF_ROLE[role].includes(scope)) throw insufficientRole('admin')
}

/** An onRequest hook, after requireSession. */
export const enterOrganization =
  (sessions: Sessions) =>
  async (request: FastifyRequest): Promise<void> => {
    const { organization } = request.params as { organization: string }
    const membership = await sessions.enter(request.signedIn.user.id, organization)
    if (!membership) throw notFound('organization, or you are not a member of it')
    request.caller = membership
    request.role = membership.role
    requireRight(request, membership.role)
  }

/** An onRoute hook: a route of an organization that names neither scope nor role must not boot. */
export function requireRights({ config, method, url }: RouteOptions): void {
  if (!config?.scope && !config?.role && !config?.refused)
    throw new Error(`${method} ${url} names neither scope nor role`)
}
