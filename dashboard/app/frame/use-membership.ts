// The membership of the user in the organization of the address. It can change while the page is open.
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { SessionOrganization } from '../../../contract/session.ts'
import { ROLE_NAMES } from '../../features/identity/roles.ts'
import { sessionQuery } from '../../shared/api/session.ts'
import { toast } from '../../shared/toast.ts'
import { useOrg } from '../../shared/use-organization.ts'

/** Buttons appear and disappear with the role, so a toast says that the role has changed. */
function useRoleNote(organization: SessionOrganization | undefined): void {
  const last = useRef(organization)
  useEffect(() => {
    const before = last.current
    last.current = organization
    if (!before || !organization || before.id !== organization.id || before.role === organization.role) return
    toast(`You are now ${ROLE_NAMES[organization.role].article} of ${organization.name}`)
  }, [organization])
}

interface Membership {
  isMember: boolean
  /** The name of an organization that the user was a member of when the page was opened. */
  formerName: string | undefined
}

export function useMembership(): Membership {
  const org = useOrg()
  const client = useQueryClient()
  const { data: session } = useSuspenseQuery(sessionQuery())
  const organization = session?.organizations.find(({ slug }) => slug === org)
  const [shown, setShown] = useState(organization)
  if (organization && organization !== shown) setShown(organization)
  useRoleNote(organization)
  const isMember = organization !== undefined
  useEffect(() => {
    if (!isMember) client.removeQueries({ queryKey: [org] })
  }, [client, isMember, org])
  return { isMember, formerName: shown?.slug === org ? shown.name : undefined }
}
