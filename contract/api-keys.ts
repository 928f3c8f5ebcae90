// The specification's section "API key". Keys are created, listed and deleted in the dashboard or by the CLI.
import { type Static, Type } from 'typebox'
import { Deleted, literals, Nullable, StrictObject, Timestamp, Uuid } from './common.ts'
import { UserRef } from './members.ts'
import { NOT_BLANK } from './not-blank.ts'
import type { DashboardRoutes } from './route.ts'
import { ALL_SCOPES } from './scopes.ts'

export const KEY_PREFIX = 'svc_'
/** Number of leading characters of a key that are stored and shown. */
export const KEY_SHOWN_LENGTH = 9
export const KEY_NAME_MAX = 200
export const KEY_RATE_MAX = 1_000_000_000

const Name = Type.String({
  minLength: 1,
  pattern: NOT_BLANK,
  maxLength: KEY_NAME_MAX,
  examples: ['Website forms'],
})
const ScopeSchema = literals(ALL_SCOPES)
const Scopes = Nullable(Type.Array(ScopeSchema, { minItems: 1 }), {
  description: 'null: full access',
})
const ExpiresAt = Nullable(Timestamp, { description: 'null: never' })
const RateLimit = Nullable(Type.Integer({ minimum: 1, maximum: KEY_RATE_MAX }), {
  description: 'Requests per minute; null: the installation’s limit',
})

export const ApiKey = StrictObject(
  {
    id: Uuid,
    name: Name,
    prefix: Type.String({ description: 'The first 9 characters of the key', examples: ['svc_x4Kq2'] }),
    scopes: Scopes,
    expiresAt: ExpiresAt,
    rateLimit: RateLimit,
    lastUsedAt: Nullable(Timestamp, { description: 'Up to 10 s old; null: never used' }),
    createdAt: Timestamp,
    createdBy: UserRef,
  },
  { description: 'An API key without its secret' },
)
export type ApiKey = Static<typeof ApiKey>

export const CreatedApiKey = StrictObject({
  ...ApiKey.properties,
  key: Type.String({ description: 'The full key. It is shown only once and is not stored' }),
})
export type CreatedApiKey = ApiKey & { key: string }

export const ApiKeyList = StrictObject({ apiKeys: Type.Array(ApiKey) })

export const NewApiKey = StrictObject({
  name: Name,
  scopes: Scopes,
  expiresAt: Type.Optional(ExpiresAt),
  rateLimit: Type.Optional(RateLimit),
})
export type NewApiKey = Static<typeof NewApiKey>

export const ApiKeyDeletion = StrictObject({
  confirmName: Type.String({ description: 'The key’s exact name' }),
})

export const apiKeyRoutes = {
  listApiKeys: { at: 'GET /api-keys', role: 'admin', response: { 200: ApiKeyList } },
  createApiKey: {
    at: 'POST /api-keys',
    role: 'admin',
    body: NewApiKey,
    response: { 201: CreatedApiKey },
  },
  deleteApiKey: {
    at: 'DELETE /api-keys/:id',
    worksOnFullDisk: true,
    role: 'admin',
    body: ApiKeyDeletion,
    response: { 200: Deleted },
  },
} satisfies DashboardRoutes
