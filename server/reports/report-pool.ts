// Separate connections for reports, so that a long report never delays a request, and the queue of reports.
import type { ClientConfig } from 'pg'
import { REPORT_RUN_SECONDS } from '../../contract/report-states.ts'
import { type Db, openPool, type Pool, type PoolOptions } from '../db/pool.ts'
import { createReportQueue, type ReportQueue } from './report-queue.ts'

/** The snapshot that a report reads. No other report of the organization runs at the same time. */
export interface ReportSnapshot {
  tx: Db
  /** Cancels the running statement. */
  cancel(): Promise<unknown>
  /** By the service's clock: the snapshot contains every change that was committed before. */
  asOf: Date
  isReplica: boolean
  /** Lowers the CPU priority of the report below requests until it ends. */
  giveWay(): void
}

export interface ReportPool {
  pool: Pool
  queue: ReportQueue
  /** A snapshot that is already taken: the report runs without waiting. */
  snapshot?: ReportSnapshot
  /** The maximum estimated cost of a report, in PostgreSQL's units. */
  costMax: number
  /** Reports with at least this cost run at a lower CPU priority than requests. */
  costOfLong: number
  /** Whether the processes of its sessions are on this machine. */
  isLocal: boolean
}

/** Above it a statement would take hours. A statement that may take seconds is executed. */
const COST_MAX = 50_000_000

/** The cost of about a tenth of a second. */
const COST_OF_LONG = 15_000

const CONNECTIONS = 2
const SECOND_MS = 1000

export interface ReportPoolOptions {
  /** Whether the database server runs on this machine, under the same user. */
  isLocal: boolean
  /** Options of the connections that differ from the defaults. */
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
