// Types of the properties that hooks add to a request.

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

/** Options of a route that are not part of its contract. */
export interface ServiceOptions {
  /** Whether it reads records by filters: after SEARCH_SECONDS_MAX it ends with 422 query_too_expensive. */
  isSearch?: boolean
  /** Whether only the server's time limit applies to the body: http/body-time.ts. */
  slowBody?: boolean
  /**
   * With an Idempotency-Key the handler runs in a transaction. This function acquires what the handler would wait for
   * before the transaction begins, and releases it when `work` has ended.
   */
  beforeTransaction?: BeforeTransaction
  /** Which background workers to wake after the request: consumers of events, none, or (by default) all. */
  wakes?: 'events' | 'none'
  /** Whether responses may contain secrets: they are not compressed, and are encrypted for an Idempotency-Key. */
  answersSecrets?: boolean
  /**
   * Whether it changes the directory, which may be another database, in separate transactions: its response is stored
   * for an Idempotency-Key after they are committed.
   */
  isOfDirectory?: true
  /** Whether it is registered at its former path. */
  isFormer?: true
  /** Whether the response continues until one side ends it: its duration is not measured. */
  isStream?: boolean
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by http/authenticate.ts under /api/v1, by http/session.ts in the dashboard's organizations. */
    caller: Caller
    /** Limits the database use of the request; cut when its time is over. */
    scope: RequestScope
    /** The remaining time of the request, set by http/deadline.ts. */
    countdown: Countdown
    /** Set by http/session.ts on routes of the dashboard that need a session. */
    signedIn: SignedIn
    /** The role of the signed-in user in the organization of the request; for a key: admin. */
    role: Role
    /** When the portal's session ends; set by webhooks/portal/session.ts only under /portal/api. */
    portalUntil: string | undefined
    /** The unparsed body, only for requests with an Idempotency-Key. */
    rawBody: string
    /** The hold of the body in the body budget; unset without a body. */
    bodyHold: ByteHold | undefined
    /** Whether the body is refused: the rest of it is read and dropped. */
    isBodyDropped: boolean
  }
  interface FastifyContextConfig extends Partial<Route>, ServiceOptions {
    /** A method that the path does not support: answered with 405. */
    refused?: boolean
  }
}
