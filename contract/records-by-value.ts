// Reads and writes one record by a unique value, such as a company by its domain.
import { ReadQuery } from './record.ts'
import { CrmRecord, exampleRecord, NewRecord, ReadRecord } from './records.ts'
import type { ApiRoutes } from './route.ts'

export const recordByValueRoutes = {
  getRecordByValue: {
    at: 'GET /objects/:objectId/records/by/:slug/:value',
    scope: 'records:read',
    summary: 'Get a record by a unique value',
    description:
      'The record that has this value of a unique attribute. Values are compared as for uniqueness: emails case-insensitively, domains as host names.',
    query: ReadQuery,
    response: { 200: ReadRecord },
    example: { response: exampleRecord },
  },
  upsertRecordByValue: {
    at: 'PUT /objects/:objectId/records/by/:slug/:value',
    scope: 'records:write',
    summary: 'Create or update the record with a unique value',
    description:
      'If a record has this value, the request updates it like Update a record, and returns 200. Otherwise it creates a record with the value of the path, and returns 201. `data` may omit the attribute of the path; a different value for this attribute is rejected. With `If-Match` the request only updates: if no record has the value, the response is 412.',
    body: NewRecord,
    response: { 200: CrmRecord, 201: CrmRecord },
    errors: ['object_inactive', 'unique_violation', 'precondition_failed'],
    example: {
      body: { data: { name: 'Ada Lovelace', phone: '+1 555 867 5309' } },
      response: exampleRecord,
    },
  },
} satisfies ApiRoutes
