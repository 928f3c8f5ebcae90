// Names of records that other things mention: references, activities, recent changes.
import { type Static, Type } from 'typebox'
import { RecordRef } from './activities.ts'
import { StrictObject, Uuid } from './common.ts'

const REFS_MAX = 500

export const RecordNameRequest = StrictObject({
  refs: Type.Array(RecordRef, { minItems: 1, maxItems: REFS_MAX }),
  includeHints: Type.Optional(
    Type.Boolean({ default: false, description: 'true: each name has a hint, for choices between records' }),
  ),
})

export const RecordName = StrictObject({
  objectId: Uuid,
  recordId: Uuid,
  name: Type.String({ description: 'contract/record-name.ts' }),
})
export type RecordName = Static<typeof RecordName>

export const hintOf = (rest = '') =>
  Type.String({
    description: `What tells the record apart from others of the same name, in words: its company, email address, stage and amount, as far as it has them${rest}`,
    examples: ['Acme · ada@example.com'],
  })

const NameWithHint = StrictObject({ ...RecordName.properties, hint: Type.Optional(hintOf()) })

/** Records that do not exist are left out. */
export const RecordNameList = StrictObject({ names: Type.Array(NameWithHint) })
