// All objects with their sizes, for the settings.
import { type Static, Type } from 'typebox'
import { CrmObject } from './objects.ts'
import type { DashboardRoutes } from './route.ts'

export const ObjectOverview = Type.Object(
  {
    ...CrmObject.properties,
    attributeCount: Type.Integer({ minimum: 0, description: 'Including inactive ones' }),
    recordCount: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
      description: 'null: counting took too long',
    }),
  },
  { additionalProperties: false },
)
export type ObjectOverview = Static<typeof ObjectOverview>

/** Including inactive ones, oldest first. */
export const ObjectOverviewList = Type.Object(
  { objects: Type.Array(ObjectOverview) },
  { additionalProperties: false },
)

export const objectDashboardRoutes = {
  listAllObjects: {
    method: 'GET',
    path: '/all-objects',
    scope: 'objects:read',
    response: { 200: ObjectOverviewList },
  },
} satisfies DashboardRoutes
