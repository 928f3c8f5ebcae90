// The specification's section "Record": entries of an object, their filters and bulk writes.
import { type Static, Type } from 'typebox'
import { Deleted, flag, literals, Nullable, Pagination, StrictObject, Uuid } from './common.ts'
import { Problem } from './errors.ts'
import { exampleDeleted, exampleId, examplePage, exampleTimes } from './example-values.ts'
import { Filter, FilterTree, FilterValue } from './filters.ts'
import { BULK_MAX, SEARCH_TEXT_MAX, SORTS_MAX } from './limits.ts'
import { consistencyParam, pageParams } from './paging.ts'
import {
  CrmRecord,
  Expanded,
  expandedField,
  ReadQuery,
  ReadRecord,
  RecordData,
  shownFields,
  shownParams,
} from './record.ts'
import { CreateMissing } from './reference-values.ts'
import type { ApiRoutes } from './route.ts'
import { SearchSort } from './sorts.ts'
import { valueSchemas } from './values.ts'

export { CrmRecord, ReadRecord, RecordData }

export const RecordList = StrictObject({
  records: Type.Array(CrmRecord),
  pagination: Pagination,
  expanded: expandedField,
  isComplete: Type.Optional(
    Type.Boolean({
      description:
        '(+) Only with isQuick. true: the page is the same as without isQuick. false: the time limit was reached, older matching records may be missing, and there is no further page',
    }),
  ),
  searched: Type.Optional(
    Type.Integer({
      minimum: 0,
      description: '(+) Only if isComplete is false: number of newest records that were searched',
    }),
  ),
})

export type RecordList = Static<typeof RecordList>

export const NewRecord = StrictObject({ data: RecordData, createMissing: Type.Optional(CreateMissing) })
export type NewRecord = Static<typeof NewRecord>
export const RecordPatch = StrictObject(
  { data: Type.Optional(RecordData), createMissing: Type.Optional(CreateMissing) },
  { description: 'Values to merge into the record; null clears a value' },
)

export const FreeText = Type.String({
  minLength: 1,
  maxLength: SEARCH_TEXT_MAX,
  description:
    'Free-text search in texts, names, email addresses, addresses, options and phone numbers: every word must occur, in any order. Case, accents and punctuation are ignored',
  examples: ['hopper grace'],
})

export const SearchBody = StrictObject({
  q: Type.Optional(FreeText),
  filters: Type.Optional(Type.Array(Filter, { description: 'All filters must match' })),
  filter: Type.Optional(FilterTree),
  sort: Type.Optional(SearchSort),
  isQuick: flag(
    '(+) true: return the first page within a second by default, even if this is not enough time to search all records. In that case only the newest records are searched, `isComplete` is false, and `pagination.total` is absent. `pagination.total` is also absent if only counting takes longer. Later pages, with `offset` or `cursor`, are the same as without isQuick and take as long',
  ),
  ...shownFields,
  ...pageParams(),
})
export type SearchBody = Static<typeof SearchBody>

export const BulkRow = StrictObject(
  {
    id: Type.Optional(
      Nullable(Type.String(), {
        description: 'The record to update, with mode upsert; null means none; mode create ignores it',
      }),
    ),
    data: RecordData,
  },
  { description: 'One row of a bulk write' },
)
export type BulkRow = Static<typeof BulkRow>

export const BulkWrite = StrictObject({
  mode: Type.Optional(literals(['create', 'upsert'], { default: 'create' })),
  // Each row is checked separately against BulkRow, because an invalid row must not fail the others.
  records: Type.Array(Type.Unknown(), { minItems: 1, maxItems: BULK_MAX }),
  allOrNone: flag('true: if one record fails, none is written'),
  matchOn: Type.Optional(
    Type.String({ description: 'Upsert by this unique attribute instead of the id', examples: ['email'] }),
  ),
  createMissing: Type.Optional(CreateMissing),
  changeSetId: Type.Optional(
    Type.String({
      ...Uuid,
      description:
        'A new id that you generate: the writes of all requests with this id can be undone together for 24 hours',
    }),
  ),
})
export type BulkWrite = Static<typeof BulkWrite>

export const RowFault = StrictObject(
  {
    ...Problem.properties,
    existingRecordId: Type.Optional(
      Type.String({ ...Uuid, description: 'For unique_violation: the record that has the value' }),
    ),
  },
  { description: 'One error in a row of a bulk write' },
)
export type RowFault = Static<typeof RowFault>

export const FailedRow = StrictObject(
  {
    index: Type.Integer(),
    error: Type.String({ description: 'Error message' }),
    code: Type.String({
      description: 'The error code that a single write of the row would return',
      examples: ['unique_violation'],
    }),
    attribute: Type.Optional(Type.String({ description: 'Slug of the first invalid attribute' })),
    existingRecordId: Type.Optional(
      Type.String({ ...Uuid, description: 'For unique_violation: the record that has the value' }),
    ),
    id: Type.Optional(Type.String({ description: 'With mode upsert: the id that was sent' })),
    details: Type.Optional(
      StrictObject(
        {
          errors: Type.Array(RowFault),
          moreErrors: Type.Optional(
            Type.Integer({ description: 'Number of omitted errors of the row, if any' }),
          ),
        },
        {
          description:
            'Only for a row with several errors: all errors, with paths within the row. If a response has very many errors, only the first error of each row is guaranteed to be listed',
        },
      ),
    ),
  },
  { description: 'A row of a bulk write that was not written: one entry for each row' },
)
export type FailedRow = Static<typeof FailedRow>

export const BulkResult = StrictObject({
  created: Type.Integer(),
  updated: Type.Integer(),
  failed: Type.Array(FailedRow),
  results: Type.Array(
    StrictObject({
      index: Type.Integer(),
      id: Nullable(Type.String(), {
        description: 'For a failed row, the id that was sent; null if no id was sent',
      }),
      status: literals(['created', 'updated', 'failed']),
    }),
  ),
})
export type BulkResult = Static<typeof BulkResult>

export const BulkDelete = StrictObject({
  ids: Type.Array(Type.String(), { minItems: 1, maxItems: BULK_MAX }),
})
export const BulkDeleted = StrictObject({ deleted: Type.Integer() })

export const DeletionQuery = StrictObject({
  permanent: flag('true: delete permanently instead of moving to the trash'),
})

export const SearchQuery = StrictObject({ consistency: consistencyParam })

const recordListParams = {
  ...pageParams(),
  ...shownParams,
  consistency: consistencyParam,
  q: Type.Optional(FreeText),
  sort: Type.Optional(
    Type.String({
      default: 'created_at',
      description: `What to sort by: created_at, updated_at, or the slug of a sortable attribute or a part of its values, such as name.lastName. Up to ${SORTS_MAX}, separated by commas: each orders the records that are equal by those before it. \`-\` before a name: descending`,
      examples: ['-amount,name'],
    }),
  ),
  order: Type.Optional(
    literals(['asc', 'desc'], {
      description:
        'The order by the names in `sort` that have no `-`. By default desc, newest first, if `sort` is only created_at or updated_at, and asc otherwise',
    }),
  ),
}

/** Filter parameters are matched by a pattern, because their names contain slugs of attributes. */
const filterParams = {
  patternProperties: {
    '^filter\\[[^\\[\\]]*\\]\\[[^\\[\\]]*\\]$': Type.Union([Type.String(), Type.Array(Type.String())]),
  },
}

export const RecordQuery = StrictObject(recordListParams, filterParams)
export type RecordQuery = Static<typeof RecordQuery>

export const RelatedQuery = StrictObject(
  {
    via: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 63,
        description: 'The slug of the attribute that refers to the record',
        examples: ['company'],
      }),
    ),
    ...recordListParams,
  },
  filterParams,
)
export type RelatedQuery = Static<typeof RelatedQuery>

/** Schemas by their names in the API document. */
export const recordSchemas = {
  Record: CrmRecord,
  ReadRecord,
  Expanded,
  ...valueSchemas,
  RecordList,
  NewRecord,
  RecordPatch,
  SearchBody,
  Filter,
  FilterValue,
  BulkWrite,
  BulkRow,
  FailedRow,
  RowFault,
  BulkResult,
  BulkDelete,
  BulkDeleted,
}

export const exampleRecord = {
  id: exampleId(3),
  objectId: exampleId(4),
  data: {
    name: { firstName: 'Ada', lastName: 'Lovelace' },
    email: 'ada@example.com',
    phone: '+1 555 867 5309',
    company: exampleId(5),
  },
  ...exampleTimes,
  version: 1,
}

export const recordRoutes = {
  listRecords: {
    at: 'GET /objects/:objectId/records',
    scope: 'records:read',
    summary: 'List records',
    description:
      'All filters must match. Page through long lists with `pagination.nextCursor`: unlike `offset`, a cursor neither skips nor repeats records while other requests write.',
    query: RecordQuery,
    response: { 200: RecordList },
    errors: ['query_too_expensive'],
    example: { response: { records: [exampleRecord], pagination: examplePage } },
  },
  searchRecords: {
    at: 'POST /objects/:objectId/records/search',
    scope: 'records:read',
    summary: 'Search records',
    description:
      'Supports more than List records: filter trees with free text, the operators `in`, `notIn` and `between`, and sorting by up to three attributes. Ties are sorted by id; records without a value come last.',
    query: SearchQuery,
    body: SearchBody,
    response: { 200: RecordList },
    errors: ['query_too_expensive'],
    example: {
      body: {
        filter: {
          and: [
            { attributeSlug: 'name', operator: 'startsWith', value: 'ada' },
            {
              or: [
                { attributeSlug: 'email', operator: 'endsWith', value: '@example.com' },
                { attributeSlug: 'company', operator: 'isEmpty', value: 'true' },
              ],
            },
          ],
        },
        sort: { field: 'name', order: 'asc' },
        limit: 20,
      },
      response: { records: [exampleRecord], pagination: examplePage },
    },
  },
  getRecord: {
    at: 'GET /objects/:objectId/records/:recordId',
    scope: 'records:read',
    summary: 'Get a record',
    description:
      'For the id of a record that was merged into another record, the response is the other record with `mergedInto`, at any time after the merge. If that record was deleted, the 404 has `details.mergedInto`. A request that changes a record by the id of a merged record also returns a 404 with `details.mergedInto`.',
    query: ReadQuery,
    response: { 200: ReadRecord },
    example: { response: exampleRecord },
  },
  createRecord: {
    at: 'POST /objects/:objectId/records',
    scope: 'records:write',
    summary: 'Create a record',
    body: NewRecord,
    response: { 201: CrmRecord },
    errors: ['object_inactive', 'unique_violation'],
    example: {
      body: { data: { name: 'Ada Lovelace', email: 'ada@example.com', phone: '+1 555 867 5309' } },
      response: exampleRecord,
    },
  },
  updateRecord: {
    at: 'PATCH /objects/:objectId/records/:recordId',
    scope: 'records:write',
    summary: 'Update a record',
    description:
      '`data` is merged into the values of the record. A value replaces the whole earlier value, and `null` clears the value.',
    body: RecordPatch,
    response: { 200: CrmRecord },
    errors: ['object_inactive', 'unique_violation', 'precondition_failed'],
    example: { body: { data: { job_title: 'Countess', phone: null } }, response: exampleRecord },
  },
  deleteRecord: {
    at: 'DELETE /objects/:objectId/records/:recordId',
    scope: 'records:write',
    summary: 'Delete a record',
    description:
      'References to the record are cleared, and its links to activities are removed. The record stays in the trash for 30 days by default, and can be restored during that time.',
    query: DeletionQuery,
    response: { 200: Deleted },
    errors: ['object_inactive', 'precondition_failed'],
    example: { response: exampleDeleted },
  },
  bulkWriteRecords: {
    at: 'POST /objects/:objectId/records/bulk',
    scope: 'records:write',
    summary: 'Create or upsert up to 100 records',
    description:
      'Each record that fails is listed once in `failed`, and the other records are written. For a record with several errors, `details.errors` lists all errors. With `allOrNone`, one failure rejects the request: `details.errors` of the error response lists all errors of all records by index, and `details.failed` lists the records. `upsert` updates the record with the given `id`, or with the same value of the `matchOn` attribute, and creates a record if none matches.',
    body: BulkWrite,
    response: { 200: BulkResult },
    errors: ['object_inactive', 'unique_violation'],
    example: {
      body: {
        mode: 'upsert',
        matchOn: 'email',
        records: [
          { data: { name: 'Ada Lovelace', email: 'ada@example.com' } },
          { data: { name: 'Charles Babbage', email: 'charles(at)example.com' } },
        ],
      },
      response: {
        created: 0,
        updated: 1,
        failed: [
          {
            index: 1,
            error: 'data.email: must be one email address, such as "ada@example.com"',
            code: 'validation_error',
            attribute: 'email',
          },
        ],
        results: [
          { index: 0, id: exampleId(3), status: 'updated' },
          { index: 1, id: null, status: 'failed' },
        ],
      },
    },
  },
  bulkDeleteRecords: {
    at: 'DELETE /objects/:objectId/records/bulk',
    scope: 'records:write',
    summary: 'Delete up to 100 records',
    description: 'Works like Delete a record. Ids that are not records of the object are ignored.',
    query: DeletionQuery,
    body: BulkDelete,
    response: { 200: BulkDeleted },
    errors: ['object_inactive'],
    example: { body: { ids: [exampleId(3), exampleId(8)] }, response: { deleted: 2 } },
  },
} satisfies ApiRoutes
