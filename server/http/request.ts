// What hooks put on a request, typed once.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify'
import type { ApiErrorCode } from '../../contract/errors.ts'
import type { Role } from '../../contract/roles.ts'
import type { Scope } from '../../contract/scopes.ts'
import type { Caller, Context } from '../context.ts'
import type { SignedIn } from './session.ts'

export type App = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by http/authenticate.ts under /api/v1, by http/session.ts in the dashboard's organizations. */
    caller: Caller
    /** The service's context; bound to the request's transaction when it carries an Idempotency-Key. */
    ctx: Context
    /** Set by http/session.ts on routes of the dashboard that need a session. */
    signedIn: SignedIn
    /** What the signed-in user is in the organization of the request. */
    role: Role
    /** When the portal's session ends; set by portal/session.ts under /portal/api alone. */
    portalUntil: string | undefined
    /** The body as it came, kept only for requests with an Idempotency-Key. */
    rawBody: string
  }
  interface FastifyContextConfig {
    /** The scope a route needs; a route of the API without one does not boot. */
    scope?: Scope
    /** The least role of a member that may, on routes of the dashboard that no scope covers. */
    role?: Role
    /** Answers beside the usual ones, for the API document. */
    errors?: readonly ApiErrorCode[]
    /** Whether no body means an empty object. */
    isBodyOptional?: boolean
    /** Whether the body may take as long as the server lets any: http/body-time.ts. */
    slowBody?: boolean
    /** What the worker could be waiting for of what it writes: events alone, or nothing. Anything, unless told. */
    tells?: 'events' | 'nobody'
    /** A method the address does not have: answered 405. */
    refused?: boolean
  }
}
