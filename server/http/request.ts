// What hooks put on a request, typed once.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify'
import type { ErrorCode } from '../../contract/errors.ts'
import type { Scope } from '../../contract/scopes.ts'
import type { Caller, Context } from '../context.ts'

export type App = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by http/authenticate.ts on every route under /api/v1. */
    caller: Caller
    /** The service's context; bound to the request's transaction when it carries an Idempotency-Key. */
    ctx: Context
    /** The body as it came, kept only for requests with an Idempotency-Key. */
    rawBody: string
  }
  interface FastifyContextConfig {
    /** The scope a route needs; a route of the API without one does not boot. */
    scope?: Scope
    /** Answers beside the usual ones, for the API document. */
    errors?: readonly ErrorCode[]
    /** A method the address does not have: answered 405. */
    refused?: boolean
  }
}
