// The parent route of all pages of an organization.
import { createRoute, redirect } from '@tanstack/react-router'
import { objectsQuery } from '../api/objects.ts'
import { queryClient } from '../api/query-client.ts'
import { rememberOrganization, sessionQuery } from '../api/session.ts'
import { frameless, OrganizationError } from '../pages/frameless-page.tsx'
import { root } from './root-route.ts'

export const toSignIn = (from: string) => redirect({ to: '/sign-in', search: { from } })

/** Requires a signed-in user. The frame is in the app (app/router.ts). */
export const organization = createRoute({
  getParentRoute: () => root,
  ...frameless,
  errorComponent: OrganizationError,
  path: '/o/$org',
  loader: async ({ params, location }) => {
    // Both requests run at the same time. An anonymous visitor is redirected before the refusal of the first one
    // matters.
    const objects = queryClient.ensureQueryData(objectsQuery(params.org))
    objects.catch(() => undefined)
    const session = await queryClient.ensureQueryData(sessionQuery())
    if (!session) throw toSignIn(location.href)
    await objects
    rememberOrganization(params.org)
  },
})
