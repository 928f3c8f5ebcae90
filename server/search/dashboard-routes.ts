// Search over all objects.
import { Type } from 'typebox'
import { SearchHits } from '../../contract/search.ts'
import type { App } from '../http/request.ts'
import { searchEverything } from './service.ts'

const SearchQuery = Type.Object(
  {
    q: Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' }),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, default: 20 })),
  },
  { additionalProperties: false },
)

export function searchDashboardRoutes(app: App): void {
  app.get(
    '/search',
    {
      config: { scope: 'records:read' },
      schema: { querystring: SearchQuery, response: { 200: SearchHits } },
    },
    ({ ctx, caller, query }) => searchEverything(ctx, caller, query),
  )
}
