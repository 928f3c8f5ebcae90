// Statements about endpoints that replays need.
import sql from 'sql-template-tag'
import type { Db } from '../../db/pool.ts'
import type { EndpointKey } from '../delivery/endpoint-queue-store.ts'

interface EndpointState {
  isEnabled: boolean
}

export const findEndpoint = (db: Db, { org, endpoint }: EndpointKey) =>
  db.maybeOne<EndpointState>(sql`
    select is_enabled as "isEnabled" from webhook_endpoints where org = ${org} and id = ${endpoint}`)

/** Locks the endpoint, so that it is not deleted until the transaction ends. */
export const holdEndpoint = (tx: Db, { org, endpoint }: EndpointKey) =>
  tx.maybeOne<EndpointState>(sql`
    select is_enabled as "isEnabled" from webhook_endpoints where org = ${org} and id = ${endpoint} for key share`)
