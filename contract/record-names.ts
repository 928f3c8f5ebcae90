// Names of records that other things mention: references, activities, recent changes.
import { type Static, Type } from 'typebox'
import { RecordRef } from './activities.ts'
import { StrictObject, Uuid } from './common.ts'

const REFS_MAX = 500

export const RecordNameRequest = StrictObject({
  refs: Type.Array(RecordRef, { minItems: 1, maxItems: REFS_MAX }),
})

export const RecordName = StrictObject({
  objectId: Uuid,
  recordId: Uuid,
  name: Type.String({ description: 'contract/record-name.ts' }),
})
export type RecordName = Static<typeof RecordName>

/** Records that do not exist are left out. */
export const RecordNameList = StrictObject({ names: Type.Array(RecordName) })
