// Search over all objects at once: what ⌘K finds.
import { type Static, Type } from 'typebox'
import { Activity } from './activities.ts'
import { RecordName } from './record-names.ts'

export const SearchHit = Type.Object(
  {
    ...RecordName.properties,
    matched: Type.Optional(
      Type.Object(
        { slug: Type.String(), value: Type.String() },
        { additionalProperties: false, description: 'Why it was found, when not by its name' },
      ),
    ),
  },
  { additionalProperties: false },
)
export type SearchHit = Static<typeof SearchHit>

export const ActivityHit = Type.Pick(Activity, ['id', 'type', 'title', 'activityDate'], {
  additionalProperties: false,
})
export type ActivityHit = Static<typeof ActivityHit>

/** Whose name begins with the text first, then of what another value does, then the others; each by name. */
export const SearchHits = Type.Object(
  {
    records: Type.Array(SearchHit),
    activities: Type.Array(ActivityHit, { description: 'Newest first' }),
    isComplete: Type.Boolean({
      description: 'false: not all that has the text was looked at; there may be better hits',
    }),
  },
  { additionalProperties: false },
)
export type SearchHits = Static<typeof SearchHits>
