// Names of records that other things mention: references, activities, recent changes.
import { type Static, Type } from 'typebox'
import { RecordRef } from './activities.ts'
import { Uuid } from './common.ts'

const REFS_MAX = 500

export const RecordNameRequest = Type.Object(
  { refs: Type.Array(RecordRef, { minItems: 1, maxItems: REFS_MAX }) },
  { additionalProperties: false },
)

export const RecordName = Type.Object(
  { objectId: Uuid, recordId: Uuid, name: Type.String({ description: 'contract/record-name.ts' }) },
  { additionalProperties: false },
)
export type RecordName = Static<typeof RecordName>

/** Records that do not exist are left out. */
export const RecordNameList = Type.Object({ names: Type.Array(RecordName) }, { additionalProperties: false })
