// Asks for confirmation before a report is deleted, and shows what is deleted with it.
import { useQuery } from '@tanstack/react-query'
import { counted } from '../../../../contract/counted.ts'
import { listFormat } from '../../../../contract/language.ts'
import { ConfirmDialog } from '../../../shared/confirm-dialog.tsx'
import { useOrg } from '../../../shared/use-organization.ts'
import { reportWorkflowsQuery } from '../../workflows/api/workflows.ts'
import { dashboardsOfReportQuery } from '../api/report-dashboards.ts'
import { type Report, reportRunsQuery } from '../api/reports.ts'

const list = listFormat({ type: 'conjunction' })

function RunsThatGo({ report }: { report: Pick<Report, 'id'> }) {
  const { data: runs } = useQuery(reportRunsQuery(useOrg(), report.id))
  if (!runs) return <>This also deletes its definition and its runs.</>
  if (runs.length === 0) return <>It has never been run.</>
  return <>This also deletes its definition and {counted(runs.length, 'run')} with results.</>
}

function WorkflowsThatFail({ report }: { report: Pick<Report, 'id'> }) {
  const { data: workflows } = useQuery(reportWorkflowsQuery(useOrg(), report.id))
  if (!workflows || workflows.length === 0) return null
  const names = list.format(workflows.map(({ name }) => `“${name}”`))
  return (
    <p>
      {workflows.length === 1 ? 'The workflow' : 'The workflows'} {names}{' '}
      {workflows.length === 1 ? 'runs' : 'run'} it, and will fail.
    </p>
  )
}

function DashboardsThatLoseIt({ report }: { report: Pick<Report, 'id'> }) {
  const { data: dashboards } = useQuery(dashboardsOfReportQuery(useOrg(), report.id))
  if (!dashboards || dashboards.length === 0) return null
  return <p>It is removed from {counted(dashboards.length, 'dashboard')} too.</p>
}

interface DeleteReportProps {
  report: Pick<Report, 'id' | 'name'>
  onConfirm(): Promise<unknown>
  onClose(): void
}

/** Mount only while the dialog is open. */
export function DeleteReport({ report, onConfirm, onClose }: DeleteReportProps) {
  return (
    <ConfirmDialog
      title={`Delete “${report.name}”?`}
      confirm="Delete report"
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <RunsThatGo report={report} /> This cannot be undone.
      <DashboardsThatLoseIt report={report} />
      <WorkflowsThatFail report={report} />
    </ConfirmDialog>
  )
}
