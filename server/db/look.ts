// Connections for checks of a database that may be unavailable or frozen: no retries, and short timeouts.
import type { ConnectionsOptions } from './connections.ts'
import { openPool, type Pool } from './pool.ts'

const CONNECT_MS = 5000
const STATEMENT_MS = 10_000

export const openForLook = (connection: ConnectionsOptions['connection'], max = 1): Pool =>
  openPool({
    ...{ connection, max, connectMs: CONNECT_MS, statementTimeoutMs: STATEMENT_MS },
    answerTimeoutMs: STATEMENT_MS,
    retries: false,
    onError: () => undefined,
  })
