// All objects with their sizes, for the settings pages.
import { type Static, Type } from 'typebox'
import { Nullable, StrictObject } from './common.ts'
import { CrmObject } from './objects.ts'
import type { DashboardRoutes } from './route.ts'

export const ObjectOverview = StrictObject({
  ...CrmObject.properties,
  attributeCount: Type.Integer({ minimum: 0, description: 'Number of attributes, including inactive ones' }),
  recordCount: Nullable(Type.Integer({ minimum: 0 }), {
    description: 'null: counting took too long',
  }),
})
export type ObjectOverview = Static<typeof ObjectOverview>

/** All objects, also inactive ones, oldest first. */
export const ObjectOverviewList = StrictObject({ objects: Type.Array(ObjectOverview) })

export const objectDashboardRoutes = {
  listAllObjects: {
    at: 'GET /all-objects',
    scope: 'objects:read',
    response: { 200: ObjectOverviewList },
  },
} satisfies DashboardRoutes
