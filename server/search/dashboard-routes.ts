// Search over all objects.
import { Type } from 'typebox'
import { SEARCH_TEXT_MAX } from '../../contract/limits.ts'
import { NOT_BLANK } from '../../contract/not-blank.ts'
import { SearchHits } from '../../contract/search.ts'
import type { App } from '../http/request.ts'
import { searchEverything } from './service.ts'

const SearchQuery = Type.Object(
  {
    q: Type.String({ minLength: 1, maxLength: SEARCH_TEXT_MAX, pattern: NOT_BLANK }),
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
