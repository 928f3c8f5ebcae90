// better-auth on our tables: users, passwords, sessions, invitations. migrations/0001-identity.sql has the columns.
import { betterAuth } from 'better-auth'
import { organization } from 'better-auth/plugins/organization'
import pg from 'pg'
import type { Logger } from 'pino'
import { newId } from '../id.ts'
import { PASSWORD_MAX, PASSWORD_MIN } from './new-organization.ts'

/**
 * The header better-auth reads a client's address from. Whoever mounts the handler sets it, over anything the
 * client sent, or the limit on sign-in is evaded by inventing addresses.
 */
export const CLIENT_ADDRESS_HEADER = 'x-rapport-client-address'

interface AuthOptions {
  connection: pg.ClientConfig
  /** Signs session cookies. */
  secret: string
  baseUrl: string
  log: Logger
}

const MINUTE_SECONDS = 60
const TIMES = { createdAt: 'created_at', updatedAt: 'updated_at' }

const user = {
  modelName: 'users',
  fields: { ...TIMES, emailVerified: 'email_verified' },
}
const session = {
  modelName: 'sessions',
  fields: {
    ...TIMES,
    userId: 'user_id',
    expiresAt: 'expires_at',
    ipAddress: 'ip_address',
    userAgent: 'user_agent',
  },
}
const account = {
  modelName: 'accounts',
  fields: {
    ...TIMES,
    userId: 'user_id',
    accountId: 'account_id',
    providerId: 'provider_id',
    accessToken: 'access_token',
    refreshToken: 'refresh_token',
    idToken: 'id_token',
    accessTokenExpiresAt: 'access_token_expires_at',
    refreshTokenExpiresAt: 'refresh_token_expires_at',
  },
}
const verification = {
  modelName: 'verifications',
  fields: { ...TIMES, expiresAt: 'expires_at' },
}

// Organizations are made and removed by our service alone: they come with standard objects and data.
const organizations = () =>
  organization({
    allowUserToCreateOrganization: false,
    disableOrganizationDeletion: true,
    membershipLimit: 10_000,
    schema: {
      session: { fields: { activeOrganizationId: 'active_organization_id' } },
      organization: { modelName: 'organizations', fields: { createdAt: 'created_at' } },
      member: {
        modelName: 'members',
        fields: { createdAt: 'created_at', organizationId: 'organization_id', userId: 'user_id' },
      },
      invitation: {
        modelName: 'invitations',
        fields: {
          createdAt: 'created_at',
          organizationId: 'organization_id',
          expiresAt: 'expires_at',
          inviterId: 'inviter_id',
        },
      },
    },
  })

// In the database, so that guessing passwords is not faster where several processes answer.
const rateLimit = {
  enabled: true,
  storage: 'database' as const,
  modelName: 'sign_in_windows',
  fields: { lastRequest: 'last_request' },
  customRules: {
    '/sign-in/email': { window: MINUTE_SECONDS, max: 10 },
    '/sign-up/email': { window: MINUTE_SECONDS, max: 10 },
    '/get-session': false as const,
  },
}

// better-auth calculates with dates and numbers, so its own few connections parse both, unlike the main pool.
function openAuthPool({ connection, log }: AuthOptions): pg.Pool {
  const parse = (oid: number, format?: 'text' | 'binary') =>
    oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format as 'text')
  const pool = new pg.Pool({
    ...connection,
    max: 4,
    options: '-c timezone=UTC -c statement_timeout=30000',
    connectionTimeoutMillis: 10_000,
    application_name: 'rapport-auth',
    types: { getTypeParser: parse as typeof pg.types.getTypeParser },
  })
  pool.on('error', (error) => log.warn({ err: error }, 'a connection for sign-in broke'))
  // A connection that breaks in use rejects its statement; without a listener it would end the process too.
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

function configure(pool: pg.Pool, { secret, baseUrl, log }: AuthOptions) {
  return betterAuth({
    appName: 'Rapport',
    baseURL: baseUrl,
    secret,
    database: pool,
    user,
    session,
    account,
    verification,
    rateLimit,
    emailAndPassword: {
      enabled: true,
      minPasswordLength: PASSWORD_MIN,
      maxPasswordLength: PASSWORD_MAX,
    },
    plugins: [organizations()],
    telemetry: { enabled: false },
    logger: {
      level: 'warn',
      disableColors: true,
      log: (level, message, ...details) => log[level]({ details }, `sign-in: ${message}`),
    },
    advanced: {
      cookiePrefix: 'rapport',
      useSecureCookies: baseUrl.startsWith('https:'),
      ipAddress: { ipAddressHeaders: [CLIENT_ADDRESS_HEADER] },
      database: { generateId: newId },
    },
  })
}

/** better-auth, ready for `api` calls and for mounting `handler` under `/api/auth`; `close` ends its connections. */
export function createAuth(options: AuthOptions) {
  const pool = openAuthPool(options)
  const auth = configure(pool, options)
  return {
    api: auth.api,
    handler: auth.handler,
    context: auth.$context,
    async close(): Promise<void> {
      await auth.$context.catch(() => undefined)
      await pool.end()
    },
  }
}
export type Auth = ReturnType<typeof createAuth>
