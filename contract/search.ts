// Search over all objects at once.
import { type Static, Type } from 'typebox'
import { Activity } from './activities.ts'
import { StrictObject } from './common.ts'
import { SEARCH_TEXT_MAX } from './limits.ts'
import { NOT_BLANK } from './not-blank.ts'
import { RecordName } from './record-names.ts'
import { exampleRecord } from './records.ts'
import type { ApiRoutes } from './route.ts'

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
  q: Type.String({
    minLength: 1,
    maxLength: SEARCH_TEXT_MAX,
    pattern: NOT_BLANK,
    description: 'Words to search for',
  }),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 50, default: 20, description: 'Maximum number of records' }),
  ),
})

/** Their names in the API document. */
export const searchSchemas = { SearchHits }

export const searchRoutes = {
  searchEverything: {
    at: 'GET /search',
    scope: 'search:read',
    summary: 'Search records of all objects, and activities',
    description:
      'Every word must occur, in any order, in the values of a record; case, accents and punctuation are ignored. Records whose name begins with the text come first. The search ends after 2 s by default, with what it has found; then `isComplete` is false.',
    query: SearchQuery,
    response: { 200: SearchHits },
    example: {
      response: {
        records: [
          {
            objectId: exampleRecord.objectId,
            recordId: exampleRecord.id,
            name: 'Ada Lovelace',
            matched: { slug: 'email', value: exampleRecord.data.email },
          },
        ],
        activities: [],
        isComplete: true,
      },
    },
  },
} satisfies ApiRoutes
