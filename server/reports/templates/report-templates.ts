// Report templates for the standard objects.
import type { ReportTemplate } from '../../../contract/report-administration.ts'
import { COMPANY_REPORTS } from './company-reports.ts'
import { DEAL_REPORTS } from './deal-reports.ts'

export const REPORT_TEMPLATES: readonly ReportTemplate[] = [...DEAL_REPORTS, ...COMPANY_REPORTS]
