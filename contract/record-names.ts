// Names of records to which references, activities and recent changes refer.
import { type Static, Type } from 'typebox'
import { RecordRef } from './activities.ts'
import { flag, StrictObject, Uuid } from './common.ts'

const REFS_MAX = 500

export const RecordNameRequest = StrictObject({
  refs: Type.Array(RecordRef, { minItems: 1, maxItems: REFS_MAX }),
  includeHints: flag('true: each name has a hint, for selection lists'),
})

export const RecordName = StrictObject({
  objectId: Uuid,
  recordId: Uuid,
  name: Type.String({ description: 'contract/record-name.ts' }),
})
export type RecordName = Static<typeof RecordName>

export const hintOf = (rest = '') =>
  Type.String({
    description: `A text that distinguishes the record from others with the same name: its company, email address, stage and amount, if present${rest}`,
    examples: ['Acme · ada@example.com'],
  })

const NameWithHint = StrictObject({ ...RecordName.properties, hint: Type.Optional(hintOf()) })

/** Without records that do not exist. */
export const RecordNameList = StrictObject({ names: Type.Array(NameWithHint) })
