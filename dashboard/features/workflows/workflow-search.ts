// What the pages of workflows keep in the address.
import { RUN_STATUSES, type RunStatus } from '../../../contract/workflow-states.ts'
import { usePageSearch } from '../../shared/routing/use-page-search.ts'

type Given = Record<string, unknown>

/** Of the list: the gallery is open, and perhaps one of its templates. */
export interface WorkflowsSearch {
  create?: 1
  template?: string
}

export const WORKFLOW_TABS = ['runs', 'definition', 'settings'] as const
export type WorkflowTab = (typeof WORKFLOW_TABS)[number]

/** Of one workflow; runs without a tab, all of them without a status, from the newest without a page. */
export interface WorkflowSearch {
  tab?: Exclude<WorkflowTab, 'runs'>
  status?: RunStatus
  /** From 2. */
  page?: number
  run?: 1
}

/** Of one run: the path of the step that is looked at, with the numbers of items. */
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
