// The specification's section "API key": made, listed and deleted in the dashboard or on the command line.
import { type Static, Type } from 'typebox'
import { Deleted, Timestamp, Uuid } from './common.ts'
import { UserRef } from './members.ts'
import { NOT_BLANK } from './not-blank.ts'
import type { DashboardRoutes } from './route.ts'
import { ALL_SCOPES, type Scope } from './scopes.ts'

export const KEY_PREFIX = 'svc_'
/** Characters of a key that are kept and shown. */
export const KEY_SHOWN_LENGTH = 9
export const KEY_NAME_MAX = 200
export const KEY_RATE_MAX = 1_000_000_000

const Name = Type.String({
  minLength: 1,
  pattern: NOT_BLANK,
  maxLength: KEY_NAME_MAX,
  examples: ['Website forms'],
})
const ScopeSchema = Type.Unsafe<Scope>(Type.Union(ALL_SCOPES.map((scope) => Type.Literal(scope))))
const Scopes = Type.Union([Type.Array(ScopeSchema, { minItems: 1 }), Type.Null()], {
  description: 'null: full access',
})
const ExpiresAt = Type.Union([Timestamp, Type.Null()], { description: 'null: never' })
const RateLimit = Type.Union([Type.Integer({ minimum: 1, maximum: KEY_RATE_MAX }), Type.Null()], {
  description: 'Requests per minute; null: the installation’s limit',
})

export const ApiKey = Type.Object(
  {
    id: Uuid,
    name: Name,
    prefix: Type.String({ description: 'The first 9 characters of the key', examples: ['svc_x4Kq2'] }),
    scopes: Scopes,
    expiresAt: ExpiresAt,
    rateLimit: RateLimit,
    lastUsedAt: Type.Union([Timestamp, Type.Null()], { description: 'Up to 10 s old; null: never used' }),
    createdAt: Timestamp,
    createdBy: UserRef,
  },
  { additionalProperties: false, description: 'An API key without its secret' },
)
export type ApiKey = Static<typeof ApiKey>

export const CreatedApiKey = Type.Object(
  {
    ...ApiKey.properties,
    key: Type.String({ description: 'The full key. It is shown only once and is not stored' }),
  },
  { additionalProperties: false },
)
export type CreatedApiKey = ApiKey & { key: string }

export const ApiKeyList = Type.Object({ apiKeys: Type.Array(ApiKey) }, { additionalProperties: false })

export const NewApiKey = Type.Object(
  {
    name: Name,
    scopes: Scopes,
    expiresAt: Type.Optional(ExpiresAt),
    rateLimit: Type.Optional(RateLimit),
  },
  { additionalProperties: false },
)
export type NewApiKey = Static<typeof NewApiKey>

export const ApiKeyDeletion = Type.Object(
  { confirmName: Type.String({ description: 'The key’s exact name' }) },
  { additionalProperties: false },
)

export const apiKeyRoutes = {
  listApiKeys: { method: 'GET', path: '/api-keys', role: 'admin', response: { 200: ApiKeyList } },
  createApiKey: {
    method: 'POST',
    path: '/api-keys',
    role: 'admin',
    body: NewApiKey,
    response: { 201: CreatedApiKey },
  },
  deleteApiKey: {
    method: 'DELETE',
    path: '/api-keys/:id',
    role: 'admin',
    body: ApiKeyDeletion,
    response: { 200: Deleted },
  },
} satisfies DashboardRoutes
