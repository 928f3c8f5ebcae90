// Where reports run: connections of their own, so that the longest of them never keeps a request waiting, and turns.
import type { ClientConfig } from 'pg'
import { REPORT_RUN_SECONDS } from '../../contract/report-states.ts'
import { type Db, openPool, type Pool } from '../db/pool.ts'
import { createTurns, type Turns } from './turns.ts'

/** The snapshot that a report of an organization reads, while no other of it runs. */
export interface ReportTurn {
  tx: Db
  /** The process of its session. */
  pid: number
}

export interface ReportDesk {
  pool: Pool
  turns: Turns
  /** Taken already: what runs now does not wait for one. */
  turn?: ReportTurn
  /** What PostgreSQL may expect a report to cost, in its units. */
  costMax: number
}

/** Such a statement would take hours; what may take seconds is tried. */
const COST_MAX = 50_000_000

const CONNECTIONS = 2
const SECOND_MS = 1000

/** @param isLocal whether the server of the database is on this machine, and of this user */
export const openReportDesk = (
  connection: ClientConfig,
  onError: (error: Error) => void,
  isLocal = false,
): ReportDesk => ({
  pool: openPool({
    connection,
    max: CONNECTIONS,
    lowPriorityMax: isLocal ? CONNECTIONS : undefined,
    statementTimeoutMs: REPORT_RUN_SECONDS * SECOND_MS,
    onError,
    // Their texts are many and seldom the same: the places of prepared statements are for requests.
    prepares: false,
    settings: {
      default_transaction_read_only: 'on',
      lock_timeout: '1s',
      work_mem: '32MB',
      // A report is read to its end.
      cursor_tuple_fraction: '1',
    },
  }),
  turns: createTurns(),
  costMax: COST_MAX,
})
