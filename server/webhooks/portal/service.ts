// Access to the portal: a link that opens it for an hour, and the session it is exchanged for.
import type { Portal, PortalSession } from '../../../contract/webhooks.ts'
import type { Caller } from '../../base/caller.ts'
import { unauthorized } from '../../base/errors.ts'
import { hashToken, isTokenShaped, makeTokenIn, makeTokenLike } from '../../base/token.ts'
import type { BaseContext } from '../../db/base-context.ts'
import type { Placement } from '../../db/databases.ts'
import type { Db } from '../../db/pool.ts'
import {
  findSession,
  getOrganization,
  insertPortalLink,
  insertSession,
  type PortalVisit,
  selectPortalObjects,
} from './store.ts'

const deadLink = () => unauthorized('This link is not valid or has expired: get a new one where you got it')

const endedSession = () =>
  unauthorized('Your portal session has ended: get a new link where you got the first one')

/**
 * The URL of the portal for the caller, valid for an hour and for any number of visits. The token is in the fragment,
 * so that no server logs it.
 */
export async function makePortalUrl(
  ctx: Pick<BaseContext, 'db' | 'cell' | 'config'>,
  caller: Caller,
): Promise<string> {
  const token = makeTokenIn(ctx.cell, caller.orgId)
  await insertPortalLink(ctx.db, caller, hashToken(token))
  return `${ctx.config.baseUrl}/portal#token=${token}`
}

/** @throws 401 unauthorized */
export async function openPortal(
  ctx: Pick<BaseContext, 'cells'> & { inCell(cell: number): { db: Db } },
  token: string,
): Promise<PortalSession> {
  if (!isTokenShaped(token)) throw deadLink()
  const { db } = ctx.inCell(await ctx.cells.cellOfToken(token))
  const session = makeTokenLike(token)
  const opened = await insertSession(db, { link: hashToken(token), session: hashToken(session) })
  if (!opened) throw deadLink()
  return { session, expiresAt: opened.expiresAt }
}

/** @param session undefined: the request has none @returns the visit with the number of its cell */
export async function findVisit(
  { cells }: { cells: Pick<Placement, 'cellOfToken'> & { of(cell: number): { admission: Db } } },
  session: string | undefined,
): Promise<(PortalVisit & { cell: number }) | undefined> {
  if (session === undefined || !isTokenShaped(session)) return undefined
  const cell = await cells.cellOfToken(session)
  const visit = await findSession(cells.of(cell).admission, hashToken(session))
  return visit && { ...visit, cell }
}

/** @throws 401 unauthorized */
export function requireVisit<Visit extends PortalVisit>(visit: Visit | undefined): Visit {
  if (!visit) throw endedSession()
  return visit
}

/** @param expiresAt the end of the portal's session; null in the dashboard */
export async function describePortal(
  { db, svix, config }: Pick<BaseContext, 'db' | 'config'> & { svix: object | undefined },
  { org }: Caller,
  expiresAt: string | null,
): Promise<Portal> {
  return {
    organization: await getOrganization(db, org),
    provider: svix ? 'svix' : 'builtin',
    objects: await selectPortalObjects(db, org),
    eventDays: config.eventDays,
    expiresAt,
  }
}
