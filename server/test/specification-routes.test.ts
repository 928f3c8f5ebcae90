// The routes of the specification (section "API") and of the feed of events, each with the scope that it requires.
import { expect, test } from 'vitest'
import { apiRoutes } from './api-routes.ts'
import { sharedTestService } from './shared-service.ts'

const NAMED: Record<string, readonly string[]> = {
  'objects:read': ['GET /objects', 'GET /objects/:objectId'],
  'objects:write': ['POST /objects', 'PATCH /objects/:objectId', 'DELETE /objects/:objectId'],
  'attributes:read': ['GET /objects/:objectId/attributes', 'GET /objects/:objectId/attributes/:attributeId'],
  'attributes:write': [
    'POST /objects/:objectId/attributes',
    'PATCH /objects/:objectId/attributes/:attributeId',
    'DELETE /objects/:objectId/attributes/:attributeId',
  ],
  'records:read': [
    'GET /objects/:objectId/records',
    'POST /objects/:objectId/records/search',
    'GET /objects/:objectId/records/:recordId',
  ],
  'records:write': [
    'POST /objects/:objectId/records',
    'PATCH /objects/:objectId/records/:recordId',
    'DELETE /objects/:objectId/records/:recordId',
    'POST /objects/:objectId/records/bulk',
    'DELETE /objects/:objectId/records/bulk',
  ],
  'activities:read': ['GET /activities', 'GET /activities/:activityId'],
  'activities:write': ['POST /activities', 'PATCH /activities/:activityId', 'DELETE /activities/:activityId'],
  'members:read': ['GET /members'],
  'reports:read': [
    'GET /reports',
    'GET /reports/:reportId',
    'GET /reports/:reportId/runs',
    'GET /reports/:reportId/runs/:runId',
  ],
  'reports:run': ['POST /reports/:reportId/run'],
  'workflows:read': ['GET /workflows', 'GET /workflows/:workflowId', 'GET /workflows/:workflowId/runs'],
  'workflows:write': ['PATCH /workflows/:workflowId'],
  'workflows:run': ['POST /workflows/:workflowId/run'],
  'files:write': ['POST /files/upload-url'],
  'webhooks:manage': ['GET /webhooks', 'GET /events'],
}

const { routes } = await sharedTestService()
const scopes = new Map(apiRoutes(routes).map(({ key, scope }) => [key, scope]))

test.each(Object.entries(NAMED))('%s gives access to its routes', (scope, keys) => {
  expect(keys.map((key) => [key, scopes.get(key)])).toEqual(keys.map((key) => [key, scope]))
})
