// better-auth on our tables: users, passwords, sessions. migrations/0068-baseline/02-identity.sql has the columns.
import { betterAuth } from 'better-auth'
import pg from 'pg'
import type { Logger } from 'pino'
import { PASSWORD_MAX, PASSWORD_MIN } from '../../contract/limits.ts'
import { newId } from '../base/id.ts'
import { type Connections, openConnections } from '../db/connections.ts'
import { answeredBy, rememberingFailures } from './auth-outages.ts'

/**
 * The header from which better-auth reads a client's address. The caller of the handler must set it, over any value
 * that the client sent. Otherwise clients evade the limit on sign-in with invented addresses.
 */
export const CLIENT_ADDRESS_HEADER = 'x-rapport-client-address'

interface AuthOptions {
  connection: pg.ClientConfig
  /** Signs session cookies. */
  secret: string
  baseUrl: string
  log: Logger
  /** Unset: forgotten passwords cannot be reset. */
  mails?: AuthMails
}

interface Addressee {
  name: string
  email: string
}

/** Neither function may wait until the message is sent: the time of an answer would show who has an account. */
export interface AuthMails {
  /** `token`: accepted by `/reset-password` once, for an hour. */
  resetRequested(user: Addressee, token: string): void
  passwordChanged(user: Addressee): void
}

const MINUTE_SECONDS = 60
const SESSION_SECONDS = 7 * 24 * 3600
/** How many seconds `updated_at`, the time at which a session was last seen, may be behind. */
const SEEN_SECONDS = 600
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
  expiresIn: SESSION_SECONDS,
  updateAge: SEEN_SECONDS,
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
  // A link in a mail is as good as a password: the database stores only its hash.
  storeIdentifier: 'hashed' as const,
}

// In the database, so that several processes that answer do not allow more guesses.
const rateLimit = {
  enabled: true,
  storage: 'database' as const,
  modelName: 'sign_in_windows',
  fields: { lastRequest: 'last_request' },
  customRules: {
    '/sign-in/email': { window: MINUTE_SECONDS, max: 10 },
    '/sign-up/email': { window: MINUTE_SECONDS, max: 10 },
    '/reset-password': { window: MINUTE_SECONDS, max: 10 },
    '/get-session': false as const,
    '/sign-out': false as const,
  },
}

// better-auth calculates with dates and numbers. So its few connections parse both, unlike the main pool.
function openAuthConnections({ connection, log }: AuthOptions): Connections {
  const parse = (oid: number, format?: 'text' | 'binary') =>
    oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format as 'text')
  return openConnections({
    connection,
    max: 4,
    statementTimeoutMs: 30_000,
    applicationName: 'rapport-auth',
    onError: (error) => log.warn({ err: error }, 'a database connection of sign-in failed'),
    types: { getTypeParser: parse as typeof pg.types.getTypeParser },
  })
}

const passwords = (mails: AuthMails | undefined) => ({
  enabled: true,
  minPasswordLength: PASSWORD_MIN,
  maxPasswordLength: PASSWORD_MAX,
  revokeSessionsOnPasswordReset: true,
  ...(mails && {
    sendResetPassword: async ({ user: to, token }: { user: Addressee; token: string }) =>
      mails.resetRequested(to, token),
    onPasswordReset: async ({ user: to }: { user: Addressee }) => mails.passwordChanged(to),
  }),
})

function configure(pool: pg.Pool, { secret, baseUrl, log, mails }: AuthOptions) {
  return betterAuth({
    appName: 'Rapport',
    baseURL: baseUrl,
    secret,
    // The expected type is pg's pool, of which better-auth uses only the methods of this pool.
    database: rememberingFailures(pool) as unknown as pg.Pool,
    user,
    session,
    account,
    verification,
    rateLimit,
    emailAndPassword: passwords(mails),
    telemetry: { enabled: false },
    logger: {
      level: 'warn',
      disableColors: true,
      log: logOf(log),
    },
    advanced: {
      cookiePrefix: 'rapport',
      useSecureCookies: baseUrl.startsWith('https:'),
      ipAddress: { ipAddressHeaders: [CLIENT_ADDRESS_HEADER] },
      database: { generateId: newId },
    },
  })
}

// accounts.ts logs these refusals, with the account and the address.
const LOGGED_ELSEWHERE = new Set(['User not found', 'Password not found', 'Invalid password'])

type LogLevel = 'debug' | 'info' | 'warn' | 'error'

const logOf =
  (log: Logger) =>
  (level: LogLevel, message: string, ...details: unknown[]): void => {
    const err = details.find((one) => one instanceof Error)
    if (!LOGGED_ELSEWHERE.has(message)) log[level](err ? { err } : { details }, `sign-in: ${message}`)
  }

/**
 * better-auth, for calls of `api`, and for `handler` where its rate limit matters (ask-auth.ts). Its addresses cannot
 * be reached from outside. `close` ends its connections.
 */
export function createAuth(options: AuthOptions) {
  const { pool, close } = openAuthConnections(options)
  const auth = configure(pool, options)
  return {
    api: auth.api,
    /** @param isProlonged whether using a session prolongs it, which writes. @throws the error of the database */
    readSession: (headers: Headers, isProlonged: boolean) =>
      answeredBy(() =>
        auth.api.getSession({ headers, returnHeaders: true, query: { disableRefresh: !isProlonged } }),
      ),
    /** @throws the error of the database */
    signUp: (body: { name: string; email: string; password: string }) =>
      answeredBy(() => auth.api.signUpEmail({ body })),
    /** @throws the error of the database */
    handler: (request: Request) => answeredBy(() => auth.handler(request)),
    context: auth.$context,
    async close(): Promise<void> {
      await auth.$context.catch(() => undefined)
      await close()
    },
  }
}
export type Auth = ReturnType<typeof createAuth>
