import { createRoute, Outlet } from '@tanstack/react-router'
import { objectQuery } from '../api/objects.ts'
import { queryClient } from '../api/query-client.ts'
import { organization } from './organization-route.ts'

/** The parent route of all pages with records of one object. */
export const object = createRoute({
  getParentRoute: () => organization,
  path: '/objects/$object',
  loader: ({ params }) => queryClient.ensureQueryData(objectQuery(params.org, params.object)),
  component: Outlet,
})
