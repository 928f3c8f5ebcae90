// A record in responses, with selected fields, and the records and members to which it refers.
import { type Static, type TSchema, Type } from 'typebox'
import { StrictObject, Timestamp, Uuid, Version } from './common.ts'
import { EXPAND_MAX, EXPANDED_MAX } from './limits.ts'
import { ActingUser } from './members.ts'

export const RecordData = Type.Record(Type.String(), Type.Unknown(), {
  description: 'Values by attribute slug; each attribute type has its own format',
  examples: [{ name: { firstName: 'Ada', lastName: 'Lovelace' }, email: 'ada@example.com' }],
})

export const CrmRecord = StrictObject(
  {
    id: Uuid,
    objectId: Uuid,
    data: RecordData,
    createdAt: Timestamp,
    updatedAt: Timestamp,
    version: Version,
  },
  { description: 'An entry of an object' },
)
export type CrmRecord = Static<typeof CrmRecord>

const byId = <Value extends TSchema>(value: Value, description: string) =>
  Type.Record(Type.String(), value, { description })

export const Expanded = StrictObject(
  {
    records: byId(CrmRecord, 'Records by id, each record once'),
    members: byId(ActingUser, 'Members by user id'),
    isComplete: Type.Boolean({
      description: `false: there are more than ${EXPANDED_MAX}, or they are larger than 4 MiB; the rest are omitted`,
    }),
  },
  { description: '(+) The records and members of the references that `expand` requests' },
)
export type Expanded = Static<typeof Expanded>

export const expandedField = Type.Optional(Expanded)

export const ReadRecord = StrictObject({
  ...CrmRecord.properties,
  expanded: expandedField,
  mergedInto: Type.Optional(
    Type.String({
      ...Uuid,
      description:
        '(+) Id of this record, if the request used the id of a record that was merged into this record',
    }),
  ),
})

const EXPAND = `Attributes of type reference or member whose records and members the response includes in \`expanded\`, also through a reference: at most ${EXPAND_MAX}`
const FIELDS =
  'Slugs of the attributes to return in `data`; default: all attributes. Attributes of `expand` are added. `company.domain` chooses attributes of the records that `expand` names'
const slugs = { minLength: 1, maxLength: 2000 }

/** Query parameters: slugs separated by commas. */
export const shownParams = {
  fields: Type.Optional(Type.String({ ...slugs, description: `(+) ${FIELDS}`, examples: ['name,email'] })),
  expand: Type.Optional(
    Type.String({ ...slugs, description: `(+) ${EXPAND}`, examples: ['company,company.owner'] }),
  ),
}

const names = (description: string, example: string[]) =>
  Type.Optional(
    Type.Array(Type.String(), { maxItems: 200, description: `(+) ${description}`, examples: [example] }),
  )

/** The same options in a body. */
export const shownFields = {
  fields: names(FIELDS, ['name', 'email']),
  expand: names(EXPAND, ['company', 'company.owner']),
}

export const ReadQuery = StrictObject(shownParams)
