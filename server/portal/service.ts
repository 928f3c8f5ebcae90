// Access to the portal: a link that opens it for an hour, and the session it is exchanged for.
import type { Portal, PortalSession } from '../../contract/webhooks.ts'
import type { Caller, Context } from '../context.ts'
import { unauthorized } from '../errors.ts'
import { hashToken, isTokenShaped, makeToken } from '../token.ts'
import {
  findSession,
  getOrganization,
  insertLink,
  insertSession,
  type PortalVisit,
  selectObjects,
} from './store.ts'

const deadLink = () => unauthorized('This link is not valid or has expired: get a new one where you got it')

const endedSession = () =>
  unauthorized('Your portal session has ended: get a new link where you got the first one')

/**
 * The address of the portal for the caller, valid for an hour and for any number of visits. The token stands behind
 * the #, so that it reaches no server's log.
 */
export async function makePortalUrl(ctx: Pick<Context, 'db' | 'config'>, caller: Caller): Promise<string> {
  const token = makeToken()
  await insertLink(ctx.db, caller, hashToken(token))
  return `${ctx.config.baseUrl}/portal#token=${token}`
}

/** @throws 401 unauthorized */
export async function openPortal({ db }: Pick<Context, 'db'>, token: string): Promise<PortalSession> {
  const session = makeToken()
  const opened = isTokenShaped(token)
    ? await insertSession(db, { link: hashToken(token), session: hashToken(session) })
    : undefined
  if (!opened) throw deadLink()
  return { session, expiresAt: opened.expiresAt }
}

/** @param session undefined: the request carries none */
export const findVisit = async (
  { db }: Pick<Context, 'db'>,
  session: string | undefined,
): Promise<PortalVisit | undefined> =>
  session && isTokenShaped(session) ? findSession(db, hashToken(session)) : undefined

/** @throws 401 unauthorized */
export function requireVisit(visit: PortalVisit | undefined): PortalVisit {
  if (!visit) throw endedSession()
  return visit
}

/** @param expiresAt of the portal's session; null in the dashboard */
export async function describePortal(
  { db, svix, config }: Pick<Context, 'db' | 'svix' | 'config'>,
  { org }: Caller,
  expiresAt: string | null,
): Promise<Portal> {
  return {
    organization: await getOrganization(db, org),
    provider: svix ? 'svix' : 'builtin',
    objects: await selectObjects(db, org),
    eventDays: config.eventDays,
    expiresAt,
  }
}
