import { address } from '../../shared/paths.ts'

export const reportPaths = {
  reports: (org: string) => address('o', org, 'reports'),
  newReport: (org: string) => address('o', org, 'reports', 'new'),
  report: (org: string, report: string) => address('o', org, 'reports', report),
  editReport: (org: string, report: string) => address('o', org, 'reports', report, 'edit'),
  reportDashboards: (org: string) => address('o', org, 'reports', 'dashboards'),
  reportDashboard: (org: string, dashboard: string) => address('o', org, 'reports', 'dashboards', dashboard),
} as const
