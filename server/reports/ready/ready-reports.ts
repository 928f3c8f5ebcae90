// Reports to begin with, for the objects that every organization has.
import type { ReadyReport } from '../../../contract/report-administration.ts'
import { COMPANY_REPORTS } from './company-reports.ts'
import { DEAL_REPORTS } from './deal-reports.ts'

export const READY_REPORTS: readonly ReadyReport[] = [...DEAL_REPORTS, ...COMPANY_REPORTS]
