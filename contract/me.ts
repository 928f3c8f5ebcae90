// The caller of a request and its permissions. (+) For programs that receive an API key.
import { type Static, Type } from 'typebox'
import { ApiKey } from './api-keys.ts'
import { literals, Nullable, StrictObject } from './common.ts'
import { exampleId, exampleTimes, exampleUser } from './example-values.ts'
import { BODY_BYTES_MAX, BULK_BODY_BYTES_MAX, BULK_MAX, PAGE_LIMIT_MAX } from './limits.ts'
import { ActingUser } from './members.ts'
import { Organization } from './organization.ts'
import type { ApiRoutes } from './route.ts'
import { ALL_SCOPES } from './scopes.ts'

const { id, name, prefix, scopes, expiresAt, createdAt } = ApiKey.properties
const { trashDays: _, ...organization } = Organization.properties

const Limits = StrictObject(
  {
    requestsPerMinute: Type.Integer({
      description: 'Limit for this API key; in the dashboard, for this member',
    }),
    organizationRequestsPerMinute: Type.Integer({
      description:
        'Limit for all API keys of the organization together; in the dashboard, for all members together',
    }),
    requestSeconds: Type.Integer({ description: 'A request that takes longer ends with 503' }),
    pageRows: Type.Integer({ description: 'The largest `limit` of a list' }),
    bulkRows: Type.Integer({ description: 'Maximum rows of a bulk request' }),
    bodyBytes: Type.Integer({ description: 'Maximum size of a request body' }),
    bulkBodyBytes: Type.Integer({ description: 'Maximum size of the body of a bulk request' }),
  },
  { description: 'Limits of requests' },
)

export const Me = StrictObject(
  {
    organization: StrictObject(organization),
    apiKey: Nullable(StrictObject({ id, name, prefix, scopes, expiresAt, createdAt }), {
      description: 'The key of the request; null in the dashboard',
    }),
    user: { ...ActingUser, description: 'The creator of the key, or the signed-in user' },
    scopes: Type.Array(literals(ALL_SCOPES), {
      description: 'Scopes of the request; all scopes with full access',
    }),
    limits: Limits,
  },
  { description: 'The key of a request, its organization, scopes and limits' },
)
export type Me = Static<typeof Me>

export const meSchemas = { Me }

export const meRoutes = {
  getMe: {
    at: 'GET /me',
    scope: 'any',
    summary: 'Get the key and its limits',
    description:
      'The organization, key, scopes and limits of the request. Programs can call this first to check their key.',
    response: { 200: Me },
    example: {
      response: {
        organization: {
          id: exampleId(1),
          slug: 'acme',
          name: 'Acme',
          country: 'US',
          currency: 'USD',
          timeZone: 'America/New_York',
          createdAt: exampleTimes.createdAt,
        },
        apiKey: {
          id: exampleId(2),
          name: 'Website forms',
          prefix: 'svc_x4Kq2',
          scopes: ['records:read', 'members:read'],
          expiresAt: null,
          createdAt: exampleTimes.createdAt,
        },
        user: exampleUser,
        scopes: ['records:read', 'members:read'],
        limits: {
          requestsPerMinute: 100,
          organizationRequestsPerMinute: 12_000,
          requestSeconds: 30,
          pageRows: PAGE_LIMIT_MAX,
          bulkRows: BULK_MAX,
          bodyBytes: BODY_BYTES_MAX,
          bulkBodyBytes: BULK_BODY_BYTES_MAX,
        },
      },
    },
  },
} satisfies ApiRoutes
