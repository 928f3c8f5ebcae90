// Workflow templates for reports.
import type { WorkflowTemplate } from '../../../contract/workflow-dashboard.ts'

const weeklyReport: WorkflowTemplate = {
  id: 'weekly-report',
  name: 'Send a weekly report',
  description: 'Every Monday at nine, runs a report and sends its rows by email.',
  inputs: [
    { key: 'report', label: 'Report', description: 'Each run is saved and can be compared', kind: 'report' },
    { key: 'email', label: 'Send to', description: 'An email address', kind: 'email' },
  ],
  definition: {
    trigger: 'schedule',
    triggerConfig: { cron: '0 9 * * 1' },
    steps: [
      {
        key: 'report',
        name: 'Run the report',
        type: 'run_report',
        config: { reportId: '[[report]]', rows: 100 },
      },
      {
        key: 'hasRows',
        name: 'Only if there are rows',
        type: 'condition',
        config: { when: { left: '{{steps.report.resultCount}}', operator: 'greaterThan', right: 0 } },
      },
      {
        key: 'mail',
        name: 'Send the rows',
        type: 'send_email',
        config: {
          to: '[[email]]',
          subject: 'The report of {{now | date "D MMMM YYYY"}}: {{steps.report.resultCount}} rows',
          text: '{{steps.report.text}}',
        },
      },
    ],
  },
}

export const REPORT_WORKFLOW_TEMPLATES: readonly WorkflowTemplate[] = [weeklyReport]
