// Searches all objects in one request.
import { type Static, Type } from 'typebox'
import { Activity } from './activities.ts'
import { literals, Nullable, StrictObject, Uuid } from './common.ts'
import { SEARCH_TEXT_MAX } from './limits.ts'
import { NOT_BLANK } from './not-blank.ts'
import { hintOf, RecordName } from './record-names.ts'
import { exampleRecord } from './records.ts'
import type { ApiRoutes } from './route.ts'

/** Why a search may have missed better results. */
const MISSING_REASONS = ['indexing', 'many', 'time'] as const
export type MissingReason = (typeof MISSING_REASONS)[number]

export const SearchHit = StrictObject({
  ...RecordName.properties,
  matched: Type.Optional(
    StrictObject(
      { slug: Type.String(), value: Type.String() },
      { description: 'The value that matches, if it is not the name' },
    ),
  ),
  hint: Type.Optional(hintOf('. Absent without `records:read`')),
})
export type SearchHit = Static<typeof SearchHit>

export const ActivityHit = Type.Pick(Activity, ['id', 'type', 'title', 'activityDate'], {
  additionalProperties: false,
})
export type ActivityHit = Static<typeof ActivityHit>

const Incomplete = StrictObject({
  objectId: Nullable(Uuid, {
    description: 'Object whose records were not all searched; null: activities',
  }),
  reason: literals(MISSING_REASONS, {
    description:
      'indexing: the index is being built, and only the newest records and already indexed records were searched. many: more records contain the words than the search ranks. time: the time limit was reached',
  }),
})
export type Incomplete = Static<typeof Incomplete>

/** First records whose name begins with the text, then those with another such value, then others; each by name. */
export const SearchHits = StrictObject({
  records: Type.Array(SearchHit),
  activities: Type.Array(ActivityHit, { description: 'Newest first' }),
  isComplete: Type.Boolean({
    description: 'false: the search stopped early, and there may be better results; see `incomplete`',
  }),
  incomplete: Type.Array(Incomplete, { description: 'What was not fully searched' }),
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

/** Schemas by their names in the API document. */
export const searchSchemas = { SearchHits }

export const searchRoutes = {
  searchEverything: {
    at: 'GET /search',
    scope: 'search:read',
    summary: 'Search records of all objects, and activities',
    description:
      'Every word must occur, in any order, in the values of a record; case, accents and punctuation are ignored. Records whose name begins with the text come first. The search ends within a second by default. If it stops early, it returns the results so far, `isComplete` is false, and `incomplete` lists what was not fully searched.',
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
            hint: 'Acme · ada@example.com',
          },
        ],
        activities: [],
        isComplete: true,
        incomplete: [],
      },
    },
  },
} satisfies ApiRoutes
