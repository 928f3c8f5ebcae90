// What reports use of the service.
import type { BaseContext } from '../db/base-context.ts'
import type { ReportPool } from './report-pool.ts'

export interface ReportContext extends BaseContext {
  /** Where reports run. */
  reports: ReportPool
}
