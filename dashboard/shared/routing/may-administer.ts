import { isAtLeast } from '../../../contract/roles.ts'
import { queryClient } from '../api/query-client.ts'
import { sessionQuery } from '../api/session.ts'

/** Whether the user is an owner or admin. Prevents requests that the service would refuse. */
export async function mayAdminister(org: string): Promise<boolean> {
  const session = await queryClient.ensureQueryData(sessionQuery())
  const role = session?.organizations.find(({ slug }) => slug === org)?.role
  return role !== undefined && isAtLeast(role, 'admin')
}
