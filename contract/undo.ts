// Undoes a change of a record: restores its earlier values, one by one.
import { type Static, Type } from 'typebox'
import { DryRunQuery, literals, Nullable, StrictObject, Uuid } from './common.ts'
import { ATTRIBUTES_PER_OBJECT_MAX, UNDO_HOURS } from './limits.ts'
import { CrmRecord, exampleRecord } from './records.ts'
import type { ApiRoutes } from './route.ts'
import { RESTORE_LOSSES_MAX, RestoreLoss } from './trash.ts'

/** Why a value is not restored, by code. */
export const CONFLICTS = {
  value_changed: 'the value was changed since',
  attribute_inactive: 'the attribute is inactive or was deleted',
  value_refused: 'the earlier value is no longer valid',
  unique_violation: 'another record has the unique value now',
  record_deleted: 'the record that it referred to was deleted',
} as const
export type UndoConflictCode = keyof typeof CONFLICTS

const HIDDEN = 'Omitted without the scope records:read'

export const UndoConflict = StrictObject(
  {
    attributeSlug: Type.String(),
    code: literals(Object.keys(CONFLICTS) as UndoConflictCode[], {
      description: Object.entries(CONFLICTS)
        .map(([code, meaning]) => `${code}: ${meaning}`)
        .join('. '),
    }),
    from: Type.Optional(
      Type.Unknown({ description: `The value before the change to undo; null: no value. ${HIDDEN}` }),
    ),
    to: Type.Optional(
      Type.Unknown({ description: `The value that the change set; null: no value. ${HIDDEN}` }),
    ),
    current: Type.Optional(
      Type.Unknown({
        description: `The current value of the record, which is kept; null: no value. ${HIDDEN}`,
      }),
    ),
    otherRecordId: Nullable(Uuid, {
      description: 'The record that has the unique value, or was deleted; otherwise null',
    }),
    message: Type.String(),
  },
  { description: 'A value that is not restored' },
)
export type UndoConflict = Static<typeof UndoConflict>

const RestoredValue = StrictObject(
  { from: Type.Optional(Type.Unknown()), to: Type.Optional(Type.Unknown()) },
  { description: HIDDEN },
)

export const UndoBody = StrictObject({
  version: Type.Integer({
    minimum: 2,
    maximum: 2_147_483_647,
    description: 'The version of the record that the change to undo produced',
  }),
  overwrite: Type.Optional(
    Type.Array(Type.String(), {
      maxItems: ATTRIBUTES_PER_OBJECT_MAX,
      description:
        'Slugs of attributes whose earlier value is restored even if the value was changed later; defaults to none',
    }),
  ),
})
export type UndoBody = Static<typeof UndoBody>

export const UndoneChange = StrictObject({
  record: CrmRecord,
  changes: Type.Record(Type.String(), RestoredValue, {
    description: 'The restored values by slug, in the format of `record.updated`',
  }),
  conflicts: Type.Array(UndoConflict),
})
export type UndoneChange = Static<typeof UndoneChange>

export const SetConflict = StrictObject({
  recordId: Uuid,
  version: Type.Integer({
    description:
      'Version that the change produced. With this version and `overwrite`, the value can be restored',
  }),
  ...UndoConflict.properties,
})
export type SetConflict = Static<typeof SetConflict>

export const UndoneBatch = StrictObject({
  restored: Type.Integer({ description: 'Number of records that got earlier values' }),
  trashed: Type.Integer({
    description: 'Number of records that the change set created and that were moved to the trash',
  }),
  returned: Type.Integer({
    description: 'Number of records that the change set deleted and that were restored from the trash',
  }),
  keptIds: Type.Array(Uuid, {
    description:
      'Ids of records that the change set created and that are kept: they were changed later, or an import created them because its rows refer to them, and other records refer to them',
  }),
  conflicts: Type.Array(SetConflict, { description: 'Values that are not restored' }),
  losses: Type.Array(RestoreLoss, {
    maxItems: RESTORE_LOSSES_MAX,
    description: `Values, references, activities and files that records did not get back when they were restored from the trash: the first ${RESTORE_LOSSES_MAX}. A reference to a record in the trash is not one of them: it returns when that record is restored`,
  }),
  batchesLeft: Type.Integer({ description: 'More than 0: send the request again' }),
})
export type UndoneBatch = Static<typeof UndoneBatch>

/** Schemas by their names in the API document. */
export const undoSchemas = { UndoBody, UndoConflict, UndoneChange, SetConflict, UndoneBatch }

export const undoRoutes = {
  undoChange: {
    at: 'POST /objects/:objectId/records/:recordId/undo',
    scope: 'records:write',
    summary: 'Undo a change of a record',
    description: `Restores the values from before the change that made the given version, for ${UNDO_HOURS} hours. Restoring is a new change with its own event, and can be undone too. Later changes are kept and listed in \`conflicts\`, unless \`overwrite\` includes the attribute.`,
    query: DryRunQuery,
    body: UndoBody,
    response: { 200: UndoneChange },
    errors: ['object_inactive', 'undo_expired', 'unique_violation'],
    example: {
      body: { version: 2 },
      response: {
        record: { ...exampleRecord, version: 4 },
        changes: { job_title: { from: 'Countess', to: 'Analyst' } },
        conflicts: [
          {
            attributeSlug: 'phone',
            code: 'value_changed',
            from: null,
            to: '+1 555 867 5309',
            current: '+1 555 867 5310',
            otherRecordId: null,
            message: 'phone: the value was changed since.',
          },
        ],
      },
    },
  },
  undoChangeSet: {
    at: 'POST /objects/:objectId/change-sets/:changeSetId/undo',
    scope: 'records:write',
    summary: 'Undo a batch of a change set',
    description: `A change set contains the writes of bulk requests with the same \`changeSetId\`, of requests with the same header \`Rapport-Change-Set\`, or of an import, whose id is the id of its change set. It can be undone for ${UNDO_HOURS} hours. Updated records get their earlier values, created records are moved to the trash, and deleted records are restored from the trash. Later changes are kept. Each request undoes the last batch of up to 500 changes: repeat it until \`batchesLeft\` is 0.`,
    response: { 200: UndoneBatch },
    errors: ['object_inactive', 'undo_expired', 'wrong_state'],
    example: {
      response: {
        restored: 96,
        trashed: 3,
        returned: 0,
        keptIds: [],
        conflicts: [],
        losses: [],
        batchesLeft: 0,
      },
    },
  },
} satisfies ApiRoutes

export const conflictMessage = (slug: string, code: UndoConflictCode): string =>
  `${slug}: ${CONFLICTS[code]}.`
