// All workflow templates. They use the standard objects that every organization has.
import type { WorkflowTemplate } from '../../../contract/workflow-dashboard.ts'
import { DEAL_TEMPLATES } from './deals.ts'
import { PEOPLE_TEMPLATES } from './people.ts'
import { REPORT_WORKFLOW_TEMPLATES } from './reports.ts'

export const WORKFLOW_TEMPLATES: WorkflowTemplate[] = [
  ...DEAL_TEMPLATES,
  ...PEOPLE_TEMPLATES,
  ...REPORT_WORKFLOW_TEMPLATES,
]
