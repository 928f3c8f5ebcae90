// What every page of an organization lies in.
import { createRoute, redirect } from '@tanstack/react-router'
import { objectsQuery } from '../api/objects.ts'
import { queryClient } from '../api/query-client.ts'
import { rememberOrganization, sessionQuery } from '../api/session.ts'
import { frameless, OrganizationError } from '../pages/frameless-page.tsx'
import { root } from './root-route.ts'

export const toSignIn = (from: string) => redirect({ to: '/sign-in', search: { from } })

/** Everything inside an organization, for those who are signed in. Its frame is the app's (app/router.ts). */
export const organization = createRoute({
  getParentRoute: () => root,
  ...frameless,
  errorComponent: OrganizationError,
  path: '/o/$org',
  loader: async ({ params, location }) => {
    // Asked for at the same time; an anonymous visitor is redirected before it matters what was refused.
    const objects = queryClient.ensureQueryData(objectsQuery(params.org))
    objects.catch(() => undefined)
    const session = await queryClient.ensureQueryData(sessionQuery())
    if (!session) throw toSignIn(location.href)
    await objects
    rememberOrganization(params.org)
  },
})
