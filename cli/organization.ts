// The organization a command works in, and in whose name it writes.

import type { Caller } from '../server/context.ts'
import type { Db } from '../server/db/pool.ts'
import { AppError } from '../server/errors.ts'
import { findOrganization, type Organization } from '../server/identity/store.ts'
import { getFirstOwner } from '../server/members/store.ts'
import type { OutputOptions } from './output.ts'

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

/** Writes in the name of the organization's first owner. @throws AppError not_found */
export async function callerIn(db: Db, idOrSlug: string): Promise<Caller> {
  const { org, id, country, currency } = await getOrganization(db, idOrSlug)
  return { org, orgId: id, userId: await getFirstOwner(db, id), keyId: null, country, currency }
}
