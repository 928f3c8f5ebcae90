// The whole context: the databases of an organization (db/databases.ts), the data of a request or job (base-context.ts)
// and the services that folders use (their context.ts). It is for the files that assemble the service; each folder uses
// only its part.
import type { Cells } from './db/databases.ts'
import type { Replicas } from './db/replicas/replicas.ts'
import type { Readiness } from './http/health.ts'
import type { IdentityContext } from './identity/context.ts'
import type { ImportContext } from './imports/context.ts'
import type { NotificationContext } from './notifications/context.ts'
import type { WorkflowContext } from './workflows/context.ts'

/** The parts of the context that are replaced while a replica is read. */
export type ReplicaUse = Pick<Context, 'shares' | 'models' | 'pageReads' | 'reports' | 'exports'>

type Services = IdentityContext & ImportContext & NotificationContext & WorkflowContext

export interface Context extends Services {
  cells: Cells<Context>
  /** This context in a cell; for a request, with its connections and its time. @throws 503 unavailable */
  inCell(cell: number): Context
  replicas: Replicas<ReplicaUse> | undefined
  /** Whether the service can serve requests. */
  readiness: Readiness
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The service's context; bound to the request's transaction if the request has an Idempotency-Key. */
    ctx: Context
  }
}
