// Making an organization, complete with owner and standard objects or not at all. What users change for themselves.
import { randomBytes } from 'node:crypto'
import { isUuid } from '../../contract/common.ts'
import type { OrganizationPatch } from '../../contract/organization.ts'
import type { ProfilePatch, SessionUser } from '../../contract/session.ts'
import { isUniqueViolation } from '../base/error-code.ts'
import { AppError, invalid, invalidField, notFound } from '../base/errors.ts'
import type { Db } from '../db/pool.ts'
import { requirePicture, takeIntoUse, tokenOf } from '../files/lookup.ts'
import { publicUrlOf } from '../files/service.ts'
import type { FileRow } from '../files/store.ts'
import type { Auth } from './auth.ts'
import type { IdentityContext } from './context.ts'
import { findRole, insertMember } from './members/store.ts'
import {
  type CheckedOrganization,
  checkNewOrganization,
  type OrganizationFields,
  type OrganizationToCreate,
  organizationProblems,
  organizationSlug,
  TIME_ZONE_PROBLEM,
} from './new-organization.ts'
import { ensureOwner } from './owner.ts'
import { isName, NAME_MESSAGE } from './person.ts'
import {
  deleteSession,
  deleteUserWithoutMemberships,
  findOrganization,
  hasTimeZone,
  insertOrganization,
  type StoredOrganization,
  updateNames,
  updateOrganization,
  updateUser,
} from './store.ts'
import { verifyEmail } from './verification-store.ts'

interface SeedingContext extends Pick<IdentityContext, 'cells'> {
  /** Not a transaction where the owner is made too: better-auth makes the owner on its own connection. */
  directory: Db
  /** Writes the objects with which every organization starts, in a transaction of its cell. */
  seedStandardObjects(tx: Db, organization: StoredOrganization): Promise<void>
}

export interface OrganizationContext extends SeedingContext {
  auth: Auth
}

const NUMBERED_SLUGS = 9

/** acme, acme-2 … acme-9, then acme-<random>. */
function* slugCandidates(name: string): Generator<string, never> {
  const slug = organizationSlug(name)
  yield slug
  for (let number = 2; number <= NUMBERED_SLUGS; number++) yield `${slug}-${number}`
  for (;;) yield `${slug}-${randomBytes(3).toString('hex')}`
}

async function insertWithSlug(
  tx: Db,
  input: CheckedOrganization & { cell: number },
): Promise<StoredOrganization> {
  const slugs = input.slug === undefined ? slugCandidates(input.name) : [input.slug]
  for (const slug of slugs) {
    const organization = await insertOrganization(tx, { ...input, slug })
    if (organization) return organization
  }
  throw new AppError(
    'slug_conflict',
    `The slug ${input.slug} is taken by another organization: choose another slug`,
  )
}

/** @param path of the field @throws AppError validation_error */
export async function requireTimeZone(db: Db, timeZone = 'UTC', path = 'timeZone'): Promise<void> {
  if (timeZone !== 'UTC' && !(await hasTimeZone(db, timeZone))) throw invalidField(path, ...TIME_ZONE_PROBLEM)
}

/** Makes an organization from checked fields for an existing user; nothing remains of it after a failure. */
export function insertOrganizationWhole(
  ctx: SeedingContext,
  input: CheckedOrganization,
  userId: string,
): Promise<StoredOrganization> {
  return ctx.directory.transaction(async (tx) => {
    await requireTimeZone(tx, input.timeZone)
    const organization = await insertWithSlug(tx, { ...input, cell: await ctx.cells.choose(tx) })
    await insertMember(tx, organization.id, { userId, role: 'owner' })
    await ctx.cells.seed(tx, organization, (inCell) => ctx.seedStandardObjects(inCell, organization))
    return organization
  })
}

/**
 * Makes an organization with its owner and standard objects. An existing user becomes its owner if the password is
 * theirs.
 * @throws AppError validation_error, slug_conflict (the given slug is taken)
 */
export async function createOrganization(
  ctx: OrganizationContext,
  newOrganization: OrganizationToCreate,
): Promise<{ id: string; slug: string; ownerUserId: string }> {
  const input = checkNewOrganization(newOrganization)
  const { userId, isNew } = await ensureOwner(ctx.auth, input.owner)
  try {
    const { id, slug } = await insertOrganizationWhole(ctx, input, userId)
    // Made on the command line: the operator is responsible for the address.
    await verifyEmail(ctx.directory, input.owner.email)
    return { id, slug, ownerUserId: userId }
  } catch (error) {
    if (isNew) await deleteUserWithoutMemberships(ctx.directory, userId)
    throw error
  }
}

/** @throws AppError not_found */
export async function getOrganization(
  { directory }: { directory: Db },
  orgId: string,
): Promise<StoredOrganization> {
  const organization = await findOrganization(directory, orgId)
  if (!organization) throw notFound('organization')
  return organization
}

/** @throws AppError validation_error */
export async function patchOrganization(
  { directory, hooks }: Pick<IdentityContext, 'directory' | 'hooks'>,
  orgId: string,
  patch: OrganizationPatch,
): Promise<StoredOrganization> {
  const problems = organizationProblems(patch)
  if (problems.length > 0) throw invalid('validation_error', problems)
  await requireTimeZone(directory, patch.timeZone)
  return directory.transaction(async (tx) => {
    const before = await findOrganization(tx, orgId)
    const name = patch.name && { name: patch.name.trim() }
    const organization = await updateOrganization(tx, orgId, { ...patch, ...name })
    // In another cell, schedules are changed when the row is copied there.
    if (organization.cell === 0 && organization.timeZone !== before?.timeZone)
      for (const hook of hooks.afterTimeZone) await hook(tx, organization.org)
    return organization
  })
}

const cellOf = async (ctx: IdentityContext, token: string) => ctx.inCell(await ctx.cells.cellOfToken(token))

/** A picture that was uploaded to any organization of the user. @throws AppError validation_error */
async function requireOwnPicture(ctx: IdentityContext, userId: string, url: string): Promise<FileRow> {
  const isOwn = async (org: number) => (await findRole(ctx.directory, org, userId)) !== undefined
  return requirePicture(await cellOf(ctx, tokenOf(url)), url, { path: 'image', isOwn })
}

/** @throws AppError validation_error */
export async function patchProfile(
  ctx: IdentityContext,
  userId: string,
  { name, image }: ProfilePatch,
): Promise<SessionUser> {
  if (name !== undefined && !isName(name)) throw invalidField('name', 'invalid_length', NAME_MESSAGE)
  const file = typeof image === 'string' ? await requireOwnPicture(ctx, userId, image) : undefined
  const at = file && (await cellOf(ctx, file.token))
  return ctx.directory.transaction(async (tx) => {
    // In another cell, the file is marked as used first: if the user's change then fails, the sweeper finds the file.
    if (file && at) await takeIntoUse(at.cell === 0 ? tx : at.db, file, 'image')
    return updateUser(tx, userId, {
      ...(name !== undefined && { name: name.trim() }),
      ...(image === null && { image: null }),
      ...(file && { image: { url: publicUrlOf(ctx, file.token, file.path), fileId: file.id } }),
    })
  })
}

/** Ends one session of the user: its next request is refused. @throws AppError not_found */
export async function endSession(
  { directory }: { directory: Db },
  userId: string,
  id: string,
): Promise<void> {
  if (!isUuid(id) || (await deleteSession(directory, userId, id)) === 0) throw notFound('session')
}

/** Changes the name or slug of an organization, for the operator. @throws AppError validation_error, slug_conflict */
export async function renameOrganization(
  { directory }: { directory: Db },
  orgId: string,
  names: Partial<Pick<OrganizationFields, 'name' | 'slug'>>,
): Promise<StoredOrganization> {
  const problems = organizationProblems(names)
  if (problems.length > 0) throw invalid('validation_error', problems)
  try {
    return await updateNames(directory, orgId, { ...names, ...(names.name && { name: names.name.trim() }) })
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    const taken = `The slug ${names.slug} is taken by another organization: choose another slug`
    throw new AppError('slug_conflict', taken)
  }
}
