// The dashboard's counterpart of authenticate.ts: a session in place of the key, a role in place of its scopes.
//
// The routes of the API are registered a second time under /dashboard/api/organizations/<slug>. The organization is in
// the path, not in the session, so two tabs can show different organizations.
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { isAtLeast, type Role, SCOPES_OF_ROLE } from '../../contract/roles.ts'
import type { SessionUser } from '../../contract/session.ts'
import type { Caller } from '../base/caller.ts'
import { AppError, insufficientRole, noMembership, unauthorized } from '../base/errors.ts'
import { enterAs } from './begin.ts'
import { joinChangeSet } from './change-set.ts'
import type { RateLimits } from './rate-limits.ts'

export interface SignedIn {
  sessionId: string
  user: SessionUser
}

export interface Membership extends Caller {
  role: Role
  /** The cell of the organization's data. */
  cell: number
}

/** The data by which a session is looked up. */
export interface Visit {
  headers: IncomingHttpHeaders
  /** The address of the client. */
  ip: string
}

export interface Sessions {
  /**
   * `cookies`: Set-Cookie headers to pass on, such as those of a session that its use extends.
   * @throws AppError 503 unavailable: too many requests wait for their session
   */
  find(request: Visit): Promise<{ signedIn: SignedIn | undefined; cookies: string[] }>
  /** @returns undefined if there is no such organization, or the user is not a member */
  enter(userId: string, organization: string): Promise<Membership | undefined>
}

const READING = new Set(['GET', 'HEAD'])

/** Browsers send where a request comes from. Other clients do not, but they also send no cookies automatically. */
function isForeign({ headers }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  const { origin } = headers
  if (origin === undefined) return false
  if (!URL.canParse(origin)) return true
  const { protocol, host } = new URL(origin)
  // Parsed as a URL, so that an explicit default port makes no difference.
  const own = `${protocol}//${headers.host}`
  return !URL.canParse(own) || new URL(own).host !== host
}

/** An onRequest hook against cross-site forgery, in addition to SameSite=Lax of the cookies. */
export async function refuseForeignOrigins(request: FastifyRequest): Promise<void> {
  if (!READING.has(request.method) && isForeign(request))
    throw new AppError('foreign_origin', 'This request comes from another site: open the dashboard')
}

/** An onRequest hook that requires a session. */
export const requireSession =
  (sessions: Sessions, limits: RateLimits) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { signedIn, cookies } = await sessions.find(request)
    if (cookies.length > 0) reply.header('set-cookie', cookies)
    if (signedIn) limits.count(reply, 'user', signedIn.user.id)
    else limits.count(reply, 'address', request.ip)
    if (!signedIn) throw unauthorized('Your session has ended: sign in again')
    request.signedIn = signedIn
  }

function requireRight(request: FastifyRequest, role: Role): void {
  const { scope, role: least } = request.routeOptions.config
  if (least) {
    if (!isAtLeast(role, least)) throw insufficientRole(least)
  } else if (scope && scope !== 'any' && !SCOPES_OF_ROLE[role].includes(scope))
    throw insufficientRole('admin')
}

/** An onRequest hook that requires membership; it must run after requireSession. */
export const enterOrganization =
  (sessions: Sessions, limits: RateLimits) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { organization } = request.params as { organization: string }
    const membership = await sessions.enter(request.signedIn.user.id, organization)
    if (!membership) throw noMembership(organization)
    limits.count(reply, 'organization', membership.orgId)
    enterAs(request, membership, membership.cell)
    request.role = membership.role
    requireRight(request, membership.role)
    joinChangeSet(request)
  }

/** An onRoute hook that fails the start if a route of an organization has neither scope nor role. */
export function requireRights({ config, method, url }: RouteOptions): void {
  if (!config?.scope && !config?.role && !config?.refused)
    throw new Error(`${method} ${url} names neither scope nor role`)
}
