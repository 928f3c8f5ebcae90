// Organizations: made whole, with an owner and the standard objects, or not at all.
import { randomBytes } from 'node:crypto'
import type { Db } from '../db/pool.ts'
import { AppError } from '../errors.ts'
import type { Auth } from './auth.ts'
import {
  type CheckedOrganization,
  checkNewOrganization,
  type NewOrganization,
  slugOf,
} from './new-organization.ts'
import { ensureOwner } from './owner.ts'
import { deleteUserWithoutMemberships, insertOrganization, insertOwner, type Organization } from './store.ts'

export interface OrganizationContext {
  /** The pool: the owner is made on a connection of better-auth's own, so no transaction may be open. */
  db: Db
  auth: Auth
  /** Writes the objects every organization starts with, in the organization's own transaction. */
  seedStandardObjects(tx: Db, organization: Organization): Promise<void>
}

const NUMBERED_SLUGS = 9

/** acme, acme-2 … acme-9, then acme-<random>. */
function* slugCandidates(name: string): Generator<string, never> {
  const slug = slugOf(name)
  yield slug
  for (let number = 2; number <= NUMBERED_SLUGS; number++) yield `${slug}-${number}`
  for (;;) yield `${slug}-${randomBytes(3).toString('hex')}`
}

async function insertWithSlug(tx: Db, input: CheckedOrganization): Promise<Organization> {
  const slugs = input.slug === undefined ? slugCandidates(input.name) : [input.slug]
  for (const slug of slugs) {
    const organization = await insertOrganization(tx, { ...input, slug })
    if (organization) return organization
  }
  throw new AppError('slug_conflict', `The slug ${input.slug} is taken by another organization`)
}

function insertOrganizationWhole(
  ctx: OrganizationContext,
  input: CheckedOrganization,
  userId: string,
): Promise<Organization> {
  return ctx.db.transaction(async (tx) => {
    const organization = await insertWithSlug(tx, input)
    await insertOwner(tx, organization.id, userId)
    await ctx.seedStandardObjects(tx, organization)
    return organization
  })
}

/**
 * Makes an organization with its owner and standard objects. A user who exists already becomes its owner when
 * the password is theirs.
 * @throws AppError validation_error, slug_conflict (a given slug that is taken)
 */
export async function createOrganization(
  ctx: OrganizationContext,
  newOrganization: NewOrganization,
): Promise<{ id: string; slug: string; ownerUserId: string }> {
  const input = checkNewOrganization(newOrganization)
  const { userId, isNew } = await ensureOwner(ctx.auth, input.owner)
  try {
    const { id, slug } = await insertOrganizationWhole(ctx, input, userId)
    return { id, slug, ownerUserId: userId }
  } catch (error) {
    if (isNew) await deleteUserWithoutMemberships(ctx.db, userId)
    throw error
  }
}
