// The organization in the address, and the permissions of the signed-in user in it.
import { useSuspenseQuery } from '@tanstack/react-query'
import { notFound, useParams } from '@tanstack/react-router'
import { isAtLeast, type Role } from '../../contract/roles.ts'
import type { SessionOrganization, SessionUser } from '../../contract/session.ts'
import { sessionQuery } from './api/session.ts'

interface InOrganization {
  organization: SessionOrganization
  user: SessionUser
  /** Whether the user's role is `least` or higher. */
  may(least: Role): boolean
}

export function useOrganization(): InOrganization {
  const { org } = useParams({ strict: false })
  const { data: session } = useSuspenseQuery(sessionQuery())
  const organization = session?.organizations.find(({ slug }) => slug === org)
  if (!session || !organization) throw notFound()
  return { organization, user: session.user, may: (least) => isAtLeast(organization.role, least) }
}

/** The slug of the organization for requests. Every table row calls it, so it reads only the address. */
export function useOrg(): string {
  const { org } = useParams({ strict: false })
  if (org === undefined) throw notFound()
  return org
}
