// What hooks put on a request, typed once.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest, RawServerDefault } from 'fastify'
import type { Role } from '../../contract/roles.ts'
import type { Route } from '../../contract/route.ts'
import type { Caller } from '../base/caller.ts'
import type { DatabaseScope as RequestScope } from '../db/scope.ts'
import type { ByteHold } from './byte-budget.ts'
import type { Countdown } from './countdowns.ts'
import type { SignedIn } from './session.ts'

export type App = FastifyInstance<RawServerDefault, IncomingMessage, ServerResponse, FastifyBaseLogger>

export type BeforeTransaction = <Result>(
  request: FastifyRequest,
  work: () => Promise<Result>,
) => Promise<Result>

/** What a route does with the service, which its callers need not know. */
export interface ServiceOptions {
  /** Whether it reads records by filters: ends within SEARCH_SECONDS_MAX, 422 query_too_expensive otherwise. */
  isSearch?: boolean
  /** Whether the body may take as long as the server lets any: http/body-time.ts. */
  slowBody?: boolean
  /**
   * With an Idempotency-Key the handler runs in a transaction. What it would wait for in there is taken here, before
   * the transaction begins; given back when `work` has ended.
   */
  beforeTransaction?: BeforeTransaction
  /** Which background workers it wakes when it has ended: consumers of events, none, or (the default) all of them. */
  wakes?: 'events' | 'none'
  /** Whether its answers may show secrets: they are not compressed, and encrypted where an Idempotency-Key keeps them. */
  answersSecrets?: boolean
  /**
   * Whether it changes the directory, which may be another database, in separate transactions: its answer for an
   * Idempotency-Key is kept when they are committed.
   */
  isOfDirectory?: true
  /** Whether it is registered at the address that it had before. */
  isFormer?: true
  /** Of a GET: contract/route.ts. */
  isConditional?: true
  /** Whether the answer goes on until one side ends it: its duration says nothing of the service. */
  isStream?: boolean
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by http/authenticate.ts under /api/v1, by http/session.ts in the dashboard's organizations. */
    caller: Caller
    /** What the request may still do with the database; cut when its time is over. */
    scope: RequestScope
    /** What is left of its time; kept by http/deadline.ts. */
    countdown: Countdown
    /** Set by http/session.ts on routes of the dashboard that need a session. */
    signedIn: SignedIn
    /** What the signed-in user is in the organization of the request; of a key admin. */
    role: Role
    /** When the portal's session ends; set by webhooks/portal/session.ts only under /portal/api. */
    portalUntil: string | undefined
    /** The body as it came, kept only for requests with an Idempotency-Key. */
    rawBody: string
    /** The bytes of the body in the body budget; unset without a body. */
    bodyHold: ByteHold | undefined
    /** Whether the body is refused: what is left of it is read and dropped. */
    isBodyDropped: boolean
  }
  interface FastifyContextConfig extends Partial<Route>, ServiceOptions {
    /** A method the address does not have: answered 405. */
    refused?: boolean
  }
}
