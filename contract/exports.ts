// Exports a view of records as a file for people.
import { type Static, Type } from 'typebox'
import { literals, StrictObject } from './common.ts'
import { Filter } from './filters.ts'
import { SearchBody } from './records.ts'
import type { DashboardRoutes } from './route.ts'

export const ExportBody = StrictObject({
  columns: Type.Array(Type.String({ maxLength: 63 }), {
    minItems: 1,
    maxItems: 203,
    uniqueItems: true,
    description: 'Columns in order: attribute slugs, `id`, `created_at`, `updated_at`',
  }),
  filters: Type.Optional(Type.Array(Filter)),
  filter: SearchBody.properties.filter,
  sort: SearchBody.properties.sort,
  search: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Only records that contain this text in a text, name or email',
    }),
  ),
  references: Type.Optional(literals(['name', 'id'], { default: 'name' })),
  format: Type.Optional(Type.Literal('csv')),
  fileName: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
})
export type ExportBody = Static<typeof ExportBody>

export const exportRoutes = {
  exportRecords: {
    at: 'POST /objects/:objectId/records/export',
    scope: 'records:read',
    body: ExportBody,
  },
} satisfies DashboardRoutes
