// Connections to the standbys of one database, for reads.
import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import { serverOf } from '../config/replica-addresses.ts'
import type { ReplicaUse } from '../context.ts'
import type { ConnectionsOptions } from '../db/connections.ts'
import { openPool } from '../db/pool.ts'
import type { ReplicaServer } from '../db/replicas/replica.ts'
import { Replicas } from '../db/replicas/replicas.ts'
import { createShares, SPARE_CONNECTIONS, sharesOf } from '../db/shares.ts'
import { createModels } from '../model/attributes/models.ts'
import { selectArrivals } from '../placement/placement.ts'
import { openExportPool } from '../records/export/export-pool.ts'
import { createPageReads } from '../records/read/page-batches.ts'
import { openReportPool } from '../reports/report-pool.ts'

type Connection = ConnectionsOptions['connection']

const STATEMENT_TIMEOUT_MS = 30_000
const MONITOR_TIMEOUT_MS = 1000

// A read that fails on a replica is repeated on the primary. So replicas have short timeouts and no retries.
const FAIL_FAST = { retries: false, connectMs: 1000, silenceMs: 2000 }
/** WAL replay may hold a lock, or wait for one, for longer than a list may take. */
const SHORT_LOCK_WAIT = { lock_timeout: '1s' }

/** One connection that is checked continuously. */
const openMonitor = (connection: Connection, onError: (error: Error) => void) =>
  openPool({
    ...FAIL_FAST,
    connection,
    max: 1,
    silenceMs: MONITOR_TIMEOUT_MS,
    answerTimeoutMs: 2 * MONITOR_TIMEOUT_MS,
    statementTimeoutMs: MONITOR_TIMEOUT_MS,
    onError,
  })

function openReplica(
  connection: Connection & { connectionString: string },
  config: Config,
  log: Logger,
): ReplicaServer<ReplicaUse> {
  const name = serverOf(connection.connectionString)
  const onError = (err: Error) => log.warn({ err, replica: name }, 'a connection to a replica failed')
  const pool = openPool({
    ...FAIL_FAST,
    connection,
    max: config.poolSize + SPARE_CONNECTIONS,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    settings: SHORT_LOCK_WAIT,
    onError,
  })
  const shares = createShares(pool, sharesOf(config))
  const use: ReplicaUse = {
    shares,
    // Models of this replica: the objects of the primary may be newer.
    models: createModels(),
    pageReads: createPageReads(shares.of('pages', 'request')),
    reports: openReportPool(connection, onError, { isLocal: false, more: FAIL_FAST }),
    exports: openExportPool(connection, config, onError, { ...FAIL_FAST, settings: SHORT_LOCK_WAIT }),
  }
  const pools = [pool, use.reports.pool, use.exports.pool]
  return {
    name,
    monitor: openMonitor(connection, onError),
    use,
    breakOff() {
      for (const one of pools) one.breakOff()
    },
    async close() {
      for (const one of pools) await one.close()
    },
  }
}

/**
 * @param primary the connection to the primary
 * @param isCell whether the database is a cell other than the directory; then all of `config.replicas` are its replicas
 * @returns undefined without replicas; they are used only after `start`
 */
export function openReplicas(
  config: Config,
  { primary, isCell, log }: { primary: Connection; isCell: boolean; log: Logger },
): Replicas<ReplicaUse> | undefined {
  const addresses = config.replicas.filter(({ cell }) => isCell || cell === undefined)
  if (addresses.length === 0) return undefined
  const onError = (err: Error) => log.warn({ err }, 'an idle database connection failed')
  const isPooled = config.databasePooler === 'transaction'
  return new Replicas({
    primary: openMonitor(primary, onError),
    servers: addresses.map(({ databaseUrl }) =>
      openReplica({ connectionString: databaseUrl, isPooled }, config, log),
    ),
    selectArrivals,
    lagMaxMs: config.replicaLagMaxMs,
    log,
  })
}
