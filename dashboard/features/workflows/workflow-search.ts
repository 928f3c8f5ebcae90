// The search parameters of the pages of workflows.
import { RUN_STATUSES, type RunStatus } from '../../../contract/workflow-states.ts'
import { usePageSearch } from '../../shared/routing/use-page-search.ts'

type Given = Record<string, unknown>

/** The list: whether the gallery is open, and the key of an open template. */
export interface WorkflowsSearch {
  create?: 1
  template?: string
}

export const WORKFLOW_TABS = ['runs', 'definition', 'settings'] as const
export type WorkflowTab = (typeof WORKFLOW_TABS)[number]

/** A workflow. Defaults: the tab of runs, runs of any status, the first page. */
export interface WorkflowSearch {
  tab?: Exclude<WorkflowTab, 'runs'>
  status?: RunStatus
  /** Page number, from 2. */
  page?: number
  run?: 1
}

/** A run: the path of the shown step, with the numbers of items. */
export interface RunSearch {
  step?: string
}

export const validWorkflowsSearch = ({ create, template }: Given): WorkflowsSearch => ({
  ...(create === 1 && { create }),
  ...(create === 1 && typeof template === 'string' && { template }),
})

export function validWorkflowSearch({ tab, status, page, run }: Given): WorkflowSearch {
  const known = RUN_STATUSES.find((one) => one === status)
  return {
    ...((tab === 'definition' || tab === 'settings') && { tab }),
    ...(known && { status: known }),
    ...(Number.isInteger(page) && Number(page) > 1 && { page: Number(page) }),
    ...(run === 1 && { run }),
  }
}

export const validRunSearch = ({ step }: Given): RunSearch =>
  typeof step === 'string' && step !== '' ? { step } : {}

export const useWorkflowSearch = usePageSearch<WorkflowsSearch & WorkflowSearch & RunSearch>
