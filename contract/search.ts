// Search over all objects at once: what ⌘K finds.
import { type Static, Type } from 'typebox'
import { Activity } from './activities.ts'
import { StrictObject } from './common.ts'
import { SEARCH_TEXT_MAX } from './limits.ts'
import { NOT_BLANK } from './not-blank.ts'
import { RecordName } from './record-names.ts'
import type { DashboardRoutes } from './route.ts'

export const SearchHit = StrictObject({
  ...RecordName.properties,
  matched: Type.Optional(
    StrictObject(
      { slug: Type.String(), value: Type.String() },
      { description: 'The value that matches, if it is not the name' },
    ),
  ),
})
export type SearchHit = Static<typeof SearchHit>

export const ActivityHit = Type.Pick(Activity, ['id', 'type', 'title', 'activityDate'], {
  additionalProperties: false,
})
export type ActivityHit = Static<typeof ActivityHit>

/** Whose name begins with the text first, then of what another value does, then the others; each by name. */
export const SearchHits = StrictObject({
  records: Type.Array(SearchHit),
  activities: Type.Array(ActivityHit, { description: 'Newest first' }),
  isComplete: Type.Boolean({
    description: 'false: the search stopped early, and there may be better results',
  }),
})
export type SearchHits = Static<typeof SearchHits>

const SearchQuery = StrictObject({
  q: Type.String({ minLength: 1, maxLength: SEARCH_TEXT_MAX, pattern: NOT_BLANK }),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, default: 20 })),
})

export const searchRoutes = {
  searchEverything: {
    at: 'GET /search',
    scope: 'records:read',
    query: SearchQuery,
    response: { 200: SearchHits },
  },
} satisfies DashboardRoutes
