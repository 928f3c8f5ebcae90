// Connections for reports, separate so that a long report never delays a request, and the queue for them.
import type { ClientConfig } from 'pg'
import { REPORT_RUN_SECONDS } from '../../contract/report-states.ts'
import { type Db, openPool, type Pool, type PoolOptions } from '../db/pool.ts'
import { createReportQueue, type ReportQueue } from './report-queue.ts'

/** The snapshot that a report of an organization reads, while no other of it runs. */
export interface ReportSnapshot {
  tx: Db
  /** Cancels its statement in flight. */
  cancel(): Promise<unknown>
  /** By the service's clock: nothing is missing of what was committed before. */
  asOf: Date
  isReplica: boolean
  /** Lets requests go first on the processors, for as long as the report runs. */
  giveWay(): void
}

export interface ReportPool {
  pool: Pool
  queue: ReportQueue
  /** Already taken: the report runs without waiting. */
  snapshot?: ReportSnapshot
  /** The maximum estimated cost of a report, in PostgreSQL's units. */
  costMax: number
  /** From this cost on a report gives way to requests. */
  costOfLong: number
  /** Whether the processes of its sessions are on this machine. */
  isLocal: boolean
}

/** A statement above it would take hours; one that may take seconds is tried. */
const COST_MAX = 50_000_000

/** About a tenth of a second. */
const COST_OF_LONG = 15_000

const CONNECTIONS = 2
const SECOND_MS = 1000

export interface ReportPoolOptions {
  /** Whether the server of the database is on this machine, and of this user. */
  isLocal: boolean
  /** Of the connections, for what differs. */
  more?: Partial<PoolOptions>
}

export const openReportPool = (
  connection: ClientConfig,
  onError: (error: Error) => void,
  { isLocal, more }: ReportPoolOptions,
): ReportPool => ({
  pool: openPool({
    connection,
    max: CONNECTIONS,
    lowPriorityMax: isLocal ? CONNECTIONS : undefined,
    statementTimeoutMs: REPORT_RUN_SECONDS * SECOND_MS,
    onError,
    // Report statements are seldom repeated, so they are not prepared.
    prepares: false,
    settings: {
      default_transaction_read_only: 'on',
      lock_timeout: '1s',
      work_mem: '32MB',
      // A report reads all rows.
      cursor_tuple_fraction: '1',
    },
    ...more,
  }),
  queue: createReportQueue(),
  costMax: COST_MAX,
  costOfLong: COST_OF_LONG,
  isLocal,
})
