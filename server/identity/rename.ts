// Another name or address of an organization, given by the operator.
import { isUniqueViolation } from '../db/error-code.ts'
import type { Db } from '../db/pool.ts'
import { AppError, invalid } from '../errors.ts'
import { type OrganizationFields, organizationProblems } from './new-organization.ts'
import { type Organization, updateNames } from './store.ts'

/** @throws AppError validation_error, slug_conflict */
export async function renameOrganization(
  { directory }: { directory: Db },
  orgId: string,
  names: Partial<Pick<OrganizationFields, 'name' | 'slug'>>,
): Promise<Organization> {
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
