// The specification's section "Record": entries of an object, their filters and bulk writes.
import { type Static, Type } from 'typebox'
import { Pagination, Timestamp, Uuid, Version } from './common.ts'
import { BULK_MAX, PAGE_LIMIT_DEFAULT, PAGE_LIMIT_MAX, SEARCH_TEXT_MAX } from './limits.ts'
import { SEARCH_OPERATORS } from './operators.ts'

export const RecordData = Type.Record(Type.String(), Type.Unknown(), {
  description: 'Attribute slug to value; the value formats are in the guide, one per attribute type',
  examples: [{ name: { firstName: 'Ada', lastName: 'Lovelace' }, email: 'ada@example.com' }],
})

export const CrmRecord = Type.Object(
  {
    id: Uuid,
    objectId: Uuid,
    data: RecordData,
    createdAt: Timestamp,
    updatedAt: Timestamp,
    version: Version,
  },
  { additionalProperties: false, description: 'An entry of an object' },
)
export type CrmRecord = Static<typeof CrmRecord>

export const RecordList = Type.Object(
  { records: Type.Array(CrmRecord), pagination: Pagination },
  { additionalProperties: false },
)

export type RecordList = Static<typeof RecordList>

export const NewRecord = Type.Object({ data: RecordData }, { additionalProperties: false })
export type NewRecord = Static<typeof NewRecord>
export const RecordPatch = Type.Object(
  { data: Type.Optional(RecordData) },
  { additionalProperties: false, description: 'Values to merge into the record; null clears one' },
)

const Operand = Type.Union([Type.String(), Type.Number(), Type.Boolean()])
/** `in` and `notIn` take 1 to 100 values, `between` takes two; every other operator one. */
export const FilterValue = Type.Union([Operand, Type.Array(Operand, { minItems: 1, maxItems: 100 })], {
  description:
    'The operand; `true` for isEmpty, isNotEmpty, isTrue and isFalse; an array for in, notIn and between',
})

export const Filter = Type.Object(
  {
    attributeSlug: Type.String({ examples: ['industry'] }),
    operator: Type.String({ description: `One of ${SEARCH_OPERATORS.join(', ')}`, examples: ['equals'] }),
    value: FilterValue,
  },
  { additionalProperties: false },
)
export type Filter = Static<typeof Filter>

export const FilterTree = Type.Object(
  {},
  {
    additionalProperties: true,
    description:
      'A tree: a filter, {"q": "text"} for free text, or {"and": […]} or {"or": […]} of trees, to depth 5',
    examples: [{ or: [{ attributeSlug: 'stage', operator: 'in', value: ['Won', 'Lost'] }] }],
  },
)

export const FreeText = Type.String({
  minLength: 1,
  maxLength: SEARCH_TEXT_MAX,
  description:
    'Free text: records that have each of its words, in any order, somewhere in their texts, names, e-mail addresses, addresses, options or phone numbers; case, accents and punctuation are ignored',
  examples: ['hopper grace'],
})

export const SearchBody = Type.Object(
  {
    q: Type.Optional(FreeText),
    filters: Type.Optional(Type.Array(Filter, { description: 'All must hold' })),
    filter: Type.Optional(FilterTree),
    sort: Type.Optional(
      Type.Object(
        {
          field: Type.String({ description: 'created_at, updated_at or the slug of a sortable attribute' }),
          order: Type.Optional(Type.Union([Type.Literal('asc'), Type.Literal('desc')], { default: 'desc' })),
        },
        { additionalProperties: false },
      ),
    ),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: PAGE_LIMIT_MAX, default: PAGE_LIMIT_DEFAULT })),
    offset: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 0 })),
    cursor: Type.Optional(Type.String({ maxLength: 4096 })),
    count: Type.Optional(Type.Boolean({ default: true, description: 'false leaves pagination.total out' })),
  },
  { additionalProperties: false },
)
export type SearchBody = Static<typeof SearchBody>

export const BulkRow = Type.Object(
  {
    id: Type.Optional(
      Type.Union([Type.String(), Type.Null()], {
        description: 'The record to update, with mode upsert; null means none; mode create ignores it',
      }),
    ),
    data: RecordData,
  },
  { additionalProperties: false, description: 'One row of a bulk write' },
)
export type BulkRow = Static<typeof BulkRow>

export const BulkWrite = Type.Object(
  {
    mode: Type.Optional(Type.Union([Type.Literal('create'), Type.Literal('upsert')], { default: 'create' })),
    // Each row is checked by itself, against BulkRow: one that is wrong fails alone.
    records: Type.Array(Type.Unknown(), { minItems: 1, maxItems: BULK_MAX }),
    allOrNone: Type.Optional(
      Type.Boolean({ default: false, description: 'One failure fails the whole request' }),
    ),
    matchOn: Type.Optional(
      Type.String({ description: 'Upsert by this unique attribute instead of the id', examples: ['email'] }),
    ),
  },
  { additionalProperties: false },
)
export type BulkWrite = Static<typeof BulkWrite>

export const BulkResult = Type.Object(
  {
    created: Type.Integer(),
    updated: Type.Integer(),
    failed: Type.Array(
      Type.Object({ index: Type.Integer(), error: Type.String() }, { additionalProperties: false }),
    ),
    results: Type.Array(
      Type.Object(
        {
          index: Type.Integer(),
          id: Type.Union([Type.String(), Type.Null()], {
            description: 'Of a failed row the id that was sent, as it was sent; null where none was',
          }),
          status: Type.Union([Type.Literal('created'), Type.Literal('updated'), Type.Literal('failed')]),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
)
export type BulkResult = Static<typeof BulkResult>

export const BulkDelete = Type.Object(
  { ids: Type.Array(Type.String(), { minItems: 1, maxItems: BULK_MAX }) },
  { additionalProperties: false },
)
export const BulkDeleted = Type.Object({ deleted: Type.Integer() }, { additionalProperties: false })
