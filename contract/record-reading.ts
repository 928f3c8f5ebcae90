// Further reads of the records of an object: groups, ids, names, history and access paths.
import { exampleId, examplePage, exampleTimes, exampleUser } from './example-values.ts'
import { GroupList, GroupQuery } from './groups.ts'
import { History, HistoryQuery } from './history.ts'
import { SearchExplanation } from './record-explanation.ts'
import { RecordNameList, RecordNameRequest } from './record-names.ts'
import { RecordIdList, RecordIdQuery } from './record-sets.ts'
import { exampleRecord, RecordList, RelatedQuery, SearchBody } from './records.ts'
import type { ApiRoutes } from './route.ts'
import { SummaryList, SummaryQuery } from './summaries.ts'

/** Schemas by their names in the API document. */
export const recordReadingSchemas = {
  GroupQuery,
  GroupList,
  SummaryQuery,
  SummaryList,
  RecordIdQuery,
  RecordIdList,
  RecordNameRequest,
  RecordNameList,
  SearchExplanation,
  History,
}

export const recordReadingRoutes = {
  groupRecords: {
    at: 'POST /objects/:objectId/records/groups',
    scope: 'records:read',
    summary: 'Count and sum records by an attribute',
    description:
      'One group for each option of a select attribute, value of a checkbox, month of a date or referenced record, and one group for records without a value. Sums are exact, and amounts in different currencies are never added.',
    body: GroupQuery,
    response: { 200: GroupList },
    errors: ['query_too_expensive'],
    example: {
      body: {
        by: 'stage',
        sumOf: 'amount',
        filters: [{ attributeSlug: 'owner', operator: 'equals', value: exampleUser.id }],
      },
      response: {
        groups: [
          { value: 'Lead', count: 2, sums: [{ currency: 'EUR', sum: '12500.5' }] },
          { value: null, count: 0, sums: [] },
        ],
        isComplete: true,
      },
    },
  },
  listRelatedRecords: {
    at: 'GET /objects/:objectId/records/:recordId/related/:relatedObjectId',
    scope: 'records:read',
    summary: 'List the records that refer to a record',
    description:
      'Lists records of another object, or of the same object, that refer to this record, such as the people and deals of a company. `via` selects the reference attribute; without `via` all attributes that refer to the object of the record are used.',
    query: RelatedQuery,
    response: { 200: RecordList },
    errors: ['query_too_expensive'],
    example: { response: { records: [exampleRecord], pagination: examplePage } },
  },
  summarizeRecords: {
    at: 'POST /objects/:objectId/records/summaries',
    scope: 'records:read',
    summary: 'Summarize the values of attributes',
    description:
      'Summarizes all matching records, like the footer of a table. Sums are exact, and amounts in different currencies are summarized separately.',
    body: SummaryQuery,
    response: { 200: SummaryList },
    errors: ['query_too_expensive'],
    example: {
      body: {
        summaries: [
          { attributeSlug: 'amount', summary: 'sum' },
          { attributeSlug: 'close_date', summary: 'max' },
        ],
        filters: [{ attributeSlug: 'stage', operator: 'equals', value: 'Won' }],
      },
      response: {
        count: 2,
        summaries: [
          { attributeSlug: 'amount', summary: 'sum', values: [{ currency: 'EUR', value: '12500.5' }] },
          { attributeSlug: 'close_date', summary: 'max', values: [{ currency: null, value: '2026-11-20' }] },
        ],
      },
    },
  },
  listRecordIds: {
    at: 'POST /objects/:objectId/records/ids',
    scope: 'records:read',
    summary: 'List the ids of all records that match',
    description: 'Ids in sort order, without pages, for bulk changes of all matching records.',
    body: RecordIdQuery,
    response: { 200: RecordIdList },
    errors: ['query_too_expensive'],
    example: {
      body: { filters: [{ attributeSlug: 'email', operator: 'isEmpty', value: 'true' }], limit: 1000 },
      response: { ids: [exampleRecord.id], isComplete: true },
    },
  },
  explainSearch: {
    at: 'POST /objects/:objectId/records/search/explain',
    scope: 'records:read',
    summary: 'Explain a search',
    description:
      'Runs the search and returns how it was executed: information about each filter, and the access paths with their estimated costs.',
    body: SearchBody,
    response: { 200: SearchExplanation },
    errors: ['query_too_expensive'],
    example: {
      body: { filters: [{ attributeSlug: 'email', operator: 'endsWith', value: '@example.com' }] },
      response: {
        index: 'none',
        records: null,
        filters: [
          {
            attributeSlug: 'email',
            operator: 'endsWith',
            found: null,
            isExact: false,
            countedBy: 'nothing',
            hasIndex: false,
          },
        ],
        paths: [{ path: 'full_scan', filter: null, bound: null, cost: 120, isTaken: true }],
        milliseconds: 1.4,
        total: 1,
      },
    },
  },
  listRecordHistory: {
    at: 'GET /objects/:objectId/records/:recordId/history',
    scope: 'records:read',
    summary: 'List the changes of a record',
    description:
      'Lists who changed which values, newest first by `version`. History is kept as long as events, for 30 days by default.',
    query: HistoryQuery,
    response: { 200: History },
    example: {
      response: {
        entries: [
          {
            id: exampleId(10),
            recordId: exampleRecord.id,
            type: 'record.updated',
            version: 2,
            at: exampleTimes.updatedAt,
            actor: exampleUser,
            apiKey: null,
            workflow: null,
            changes: { phone: { from: null, to: exampleRecord.data.phone } },
            restores: null,
            mergedIds: null,
          },
        ],
        pagination: examplePage,
      },
    },
  },
  listRecordNames: {
    at: 'POST /record-names',
    scope: 'records:read',
    summary: 'Get the names of records of any objects',
    description:
      'Returns the value of the naming attribute of each record. `includeHints` adds a text that distinguishes records with the same name. Records that do not exist are omitted.',
    body: RecordNameRequest,
    response: { 200: RecordNameList },
    example: {
      body: { refs: [{ objectId: exampleRecord.objectId, recordId: exampleRecord.id }] },
      response: {
        names: [{ objectId: exampleRecord.objectId, recordId: exampleRecord.id, name: 'Ada Lovelace' }],
      },
    },
  },
} satisfies ApiRoutes
