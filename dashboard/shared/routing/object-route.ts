import { createRoute, Outlet } from '@tanstack/react-router'
import { objectQuery } from '../api/objects.ts'
import { queryClient } from '../api/query-client.ts'
import { organization } from './organization-route.ts'

/** What every page of one object's records lies in. */
export const object = createRoute({
  getParentRoute: () => organization,
  path: '/objects/$object',
  loader: ({ params }) => queryClient.ensureQueryData(objectQuery(params.org, params.object)),
  component: Outlet,
})
