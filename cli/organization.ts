// The organization a command works in, and in whose name it writes.

import type { Caller } from '../server/context.ts'
import type { Db } from '../server/db/pool.ts'
import { AppError } from '../server/errors.ts'
import { findOrganization, type Organization } from '../server/identity/store.ts'
import { getFirstOwner } from '../server/members/store.ts'
import type { OutputOptions } from './output.ts'
import type { Session } from './session.ts'

export interface OrgOptions extends OutputOptions {
  org: string
}

export const ORG_OPTION = ['--org <id or slug>', 'the organization'] as const

/** @throws AppError not_found that says where to look */
export async function getOrganization(db: Db, idOrSlug: string): Promise<Organization> {
  const organization = await findOrganization(db, idOrSlug)
  if (organization) return organization
  throw new AppError('not_found', `No organization has the id or slug "${idOrSlug}": see rapport org list`)
}

/**
 * The session in the cell of the organization, and its first owner, in whose name the command writes.
 * @throws AppError not_found, unavailable
 */
export async function enter<S extends Pick<Session, 'ctx' | 'inCell'>>(
  session: S,
  idOrSlug: string,
): Promise<{ session: S; ctx: Session['ctx']; caller: Caller }> {
  const { directory } = session.ctx
  const { org, cell, id, country, currency } = await getOrganization(directory, idOrSlug)
  const ctx = session.inCell(cell)
  const caller = {
    org,
    orgId: id,
    userId: await getFirstOwner(directory, id),
    keyId: null,
    country,
    currency,
  }
  return { session: { ...session, ctx }, ctx, caller }
}
