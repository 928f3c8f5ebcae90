import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { queryClient } from '../../shared/api/query-client.ts'
import { recordQuery } from '../../shared/api/records.ts'
import { object } from '../../shared/routing/object-route.ts'
import { commentsQuery } from '../comments/api.ts'
import { opensAsBoard } from './last-layout.ts'
import { loadRecords } from './load-records.ts'
import { validPageSearch } from './page-search.ts'

/** The activity that is open in the side panel. */
const activityInSearch = ({ activity }: { activity?: unknown }) =>
  typeof activity === 'string' ? { activity } : {}

const records = createRoute({
  getParentRoute: () => object,
  path: '/',
  validateSearch: validPageSearch,
  beforeLoad: ({ params, search }) => {
    if (!opensAsBoard(params.org, params.object, search)) return
    throw redirect({
      to: '/o/$org/objects/$object',
      params,
      search: { ...search, kind: 'board' } as never,
      replace: true,
    })
  },
  loader: ({ params, location }) =>
    loadRecords(params.org, params.object, validPageSearch(location.search as Record<string, unknown>)),
  component: lazyRouteComponent(() => import('./records-page.tsx'), 'RecordsPage'),
})

const trash = createRoute({
  getParentRoute: () => object,
  path: '/trash',
  component: lazyRouteComponent(() => import('./trash-page.tsx'), 'TrashPage'),
})

const duplicates = createRoute({
  getParentRoute: () => object,
  path: '/duplicates',
  component: lazyRouteComponent(() => import('./duplicates-page.tsx'), 'DuplicatesPage'),
})

const record = createRoute({
  getParentRoute: () => object,
  path: '/$record',
  validateSearch: activityInSearch,
  loader: async ({ params }) => {
    // Comments are loaded too, because they are above the timeline. Their failure does not fail the page.
    const comments = queryClient.prefetchInfiniteQuery(commentsQuery(params))
    await queryClient.ensureQueryData({
      ...recordQuery(params.org, params.object, params.record),
      revalidateIfStale: true,
    })
    await comments
  },
  errorComponent: lazyRouteComponent(() => import('./record-error.tsx'), 'RecordError'),
  component: lazyRouteComponent(() => import('./record-page.tsx'), 'RecordPage'),
})

export const recordRoutes = [records, trash, duplicates, record]
