// The parts of the service that reports use.
import type { BaseContext } from '../db/base-context.ts'
import type { ReportPool } from './report-pool.ts'

export interface ReportContext extends BaseContext {
  /** Connections and limits of reports. */
  reports: ReportPool
}
