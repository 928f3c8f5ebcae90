// The organization that a command works in, and the user that it acts as.
import { Command } from 'commander'
import type { Caller } from '../server/base/caller.ts'
import { AppError } from '../server/base/errors.ts'
import type { Db } from '../server/db/pool.ts'
import { getFirstOwner } from '../server/identity/members/store.ts'
import { findOrganization, type StoredOrganization } from '../server/identity/store.ts'
import type { OutputOptions } from './output.ts'
import type { CliSession } from './session.ts'

export interface OrgOptions extends OutputOptions {
  org: string
}

export const ORG_OPTION = ['--org <id or slug>', 'the organization'] as const

export const orgCommand = (name: string, description: string): Command =>
  new Command(name).description(description).requiredOption(...ORG_OPTION)

/** @throws AppError not_found with advice */
export async function getOrganization(db: Db, idOrSlug: string): Promise<StoredOrganization> {
  const organization = await findOrganization(db, idOrSlug)
  if (organization) return organization
  throw new AppError('not_found', `No organization has the id or slug "${idOrSlug}": see rapport org list`)
}

type InCell<S> = { session: S; ctx: CliSession['ctx']; organization: StoredOrganization }

/** The session in the cell of the organization. @throws AppError not_found, unavailable */
export async function enterCell<S extends Pick<CliSession, 'ctx' | 'inCell'>>(
  session: S,
  idOrSlug: string,
): Promise<InCell<S>> {
  const organization = await getOrganization(session.ctx.directory, idOrSlug)
  const ctx = session.inCell(organization.cell)
  return { session: { ...session, ctx }, ctx, organization }
}

/** As enterCell, and acts as the organization's first owner. @throws AppError not_found, unavailable */
export async function enter<S extends Pick<CliSession, 'ctx' | 'inCell'>>(
  session: S,
  idOrSlug: string,
): Promise<InCell<S> & { caller: Caller }> {
  const entered = await enterCell(session, idOrSlug)
  const { org, id, country, currency } = entered.organization
  const userId = await getFirstOwner(session.ctx.directory, id)
  return { ...entered, caller: { org, orgId: id, userId, keyId: null, country, currency } }
}
