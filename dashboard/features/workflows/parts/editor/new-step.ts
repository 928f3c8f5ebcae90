// What a step is like when it is added: as much of it as can be known.
import type { StepType } from '../../../../../contract/workflow-steps.ts'
import type { WorkflowDefinition, WorkflowStep } from '../../../../../contract/workflows.ts'
import { baseKey, freeKey } from './step-keys.ts'

const branch = () => ({
  branches: [{ name: 'yes', when: { left: '', operator: 'equals', right: '' }, steps: [] }],
  else: [],
})

const CONFIGS: Partial<Record<StepType, () => Record<string, unknown>>> = {
  find_records: () => ({ object: '', limit: 20 }),
  get_record: () => ({ object: '', recordId: '' }),
  create_record: () => ({ object: '', data: {} }),
  update_record: () => ({ object: '', recordId: '', data: {} }),
  upsert_record: () => ({ object: '', matchOn: '', data: {} }),
  delete_record: () => ({ object: '', recordId: '' }),
  create_activity: () => ({ type: 'note', title: '' }),
  condition: () => ({ when: { left: '', operator: 'equals', right: '' } }),
  branch,
  for_each: () => ({ items: '', as: 'item', steps: [] }),
  delay: () => ({ seconds: 3600 }),
  http_request: () => ({ method: 'POST', url: '' }),
  send_webhook: () => ({ endpointId: '' }),
  run_report: () => ({ reportId: '' }),
  send_email: () => ({ to: '', subject: '', text: '' }),
  set_variables: () => ({ variables: { name: '' } }),
  fail: () => ({ message: '' }),
}

/** @param taken keys of the definition that it will be in */
export const newStep = (type: StepType, taken: ReadonlySet<string>): WorkflowStep => ({
  key: freeKey(baseKey(type), taken),
  type,
  config: CONFIGS[type]?.() ?? {},
})

export const EMPTY_DEFINITION: WorkflowDefinition = { trigger: 'manual', steps: [] }
