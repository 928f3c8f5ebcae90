// The whole context: the databases of an organization (db/databases.ts), what a request or job carries (base-context.ts)
// and the services that folders use (their context.ts). It is for the files that put the service together; a folder takes
// its own part.
import type { Cells } from './db/databases.ts'
import type { Replicas } from './db/replicas/replicas.ts'
import type { Readiness } from './http/health.ts'
import type { IdentityContext } from './identity/context.ts'
import type { ImportContext } from './imports/context.ts'
import type { NotificationContext } from './notifications/context.ts'
import type { WorkflowContext } from './workflows/context.ts'

/** What takes the place of the context's own while a replica is read. */
export type ReplicaUse = Pick<Context, 'shares' | 'models' | 'pageReads' | 'reports' | 'exports'>

type Services = IdentityContext & ImportContext & NotificationContext & WorkflowContext

export interface Context extends Services {
  cells: Cells<Context>
  /** This context in a cell; of a request, with its connections and its time. @throws 503 unavailable */
  inCell(cell: number): Context
  replicas: Replicas<ReplicaUse> | undefined
  /** Whether requests can be answered. */
  readiness: Readiness
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The service's context; bound to the request's transaction when it carries an Idempotency-Key. */
    ctx: Context
  }
}
