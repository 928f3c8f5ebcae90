import { isAtLeast } from '../../../contract/roles.ts'
import { queryClient } from '../api/query-client.ts'
import { sessionQuery } from '../api/session.ts'

/** What only owners and admins may ask for is not asked for in vain. */
export async function mayAdminister(org: string): Promise<boolean> {
  const session = await queryClient.ensureQueryData(sessionQuery())
  const role = session?.organizations.find(({ slug }) => slug === org)?.role
  return role !== undefined && isAtLeast(role, 'admin')
}
