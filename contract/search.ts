// Search over all objects at once: what ⌘K finds.
import { type Static, Type } from 'typebox'
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

/** What begins with the text first, then by name. */
export const SearchHits = Type.Object(
  {
    records: Type.Array(SearchHit),
    isComplete: Type.Boolean({ description: 'false: the search ran out of time; there may be better hits' }),
  },
  { additionalProperties: false },
)
export type SearchHits = Static<typeof SearchHits>
