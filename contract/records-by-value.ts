// One record of an object by a unique value, such as a company by its domain.
import { ReadQuery } from './record.ts'
import { CrmRecord, exampleRecord, NewRecord, ReadRecord } from './records.ts'
import type { ApiRoutes } from './route.ts'

export const recordByValueRoutes = {
  getRecordByValue: {
    at: 'GET /objects/:objectId/records/by/:slug/:value',
    scope: 'records:read',
    isConditional: true,
    summary: 'Get a record by a unique value',
    description:
      'The record that has this value of a unique attribute. Values are compared as for uniqueness: emails without case, domains as host names.',
    query: ReadQuery,
    response: { 200: ReadRecord },
    example: { response: exampleRecord },
  },
  upsertRecordByValue: {
    at: 'PUT /objects/:objectId/records/by/:slug/:value',
    scope: 'records:write',
    summary: 'Create or update the record with a unique value',
    description:
      'Updates the record that has this value as Update a record does, and responds with 200; creates it if there is none, with the value of the path, and responds with 201. `data` may leave the attribute of the path out; another value of it is refused. With `If-Match` it only updates: where no record has the value, the response is 412.',
    body: NewRecord,
    response: { 200: CrmRecord, 201: CrmRecord },
    errors: ['object_inactive', 'unique_violation', 'precondition_failed'],
    example: {
      body: { data: { name: 'Ada Lovelace', phone: '+1 555 867 5309' } },
      response: exampleRecord,
    },
  },
} satisfies ApiRoutes
