// The objects, reports and secrets of an organization, for checks of definitions.
import type { StepType } from '../../../contract/workflow-steps.ts'
import type { WorkflowDefinition, WorkflowStep } from '../../../contract/workflows.ts'
import type { ValueAttribute } from '../../records/values/attribute.ts'
import { step, workflow } from '../interpreter/run.fixture.ts'
import { STEPS } from '../steps/steps.ts'
import { checkDefinition } from './definition.ts'
import type { Known } from './known.ts'

export const attribute = (
  slug: string,
  type: ValueAttribute['type'],
  more: Partial<ValueAttribute> = {},
): ValueAttribute => ({
  slug,
  name: slug,
  type,
  isList: false,
  isRequired: false,
  isUnique: false,
  config: null,
  ...more,
})
export const PEOPLE = String(STEPS.find_records.example['object'])
export const RECORD = '0198c0de-0000-7000-8000-000000000009'
const COMPANIES = '0198c0de-0000-7000-8000-00000000000c'
export const known: Known = {
  objects: [
    {
      id: PEOPLE,
      slug: 'people',
      isActive: true,
      attributes: [
        attribute('name', 'name', { isRequired: true }),
        attribute('email', 'email', { isUnique: true }),
        attribute('age', 'number'),
        attribute('stage', 'select', { config: { options: ['Lead', 'Won'] } }),
        attribute('tags', 'list'),
        attribute('company', 'reference', { config: { allowed_object_id: COMPANIES } }),
      ],
    },
    {
      id: COMPANIES,
      slug: 'companies',
      isActive: true,
      attributes: [attribute('domain', 'domain', { isUnique: true }), attribute('industry', 'text')],
    },
    { id: RECORD, slug: 'old', isActive: false, attributes: [] },
  ],
  endpoints: [String(STEPS.send_webhook.example['endpointId'])],
  reports: [String(STEPS.run_report.example['reportId'])],
  secrets: ['ERP_TOKEN'],
  locale: { country: 'US', currency: 'USD' },
  members: new Map(),
}

/** Paths and codes of the problems of a workflow with these steps. */
export const problemsOf = (steps: WorkflowStep[], more: Partial<WorkflowDefinition> = {}) =>
  checkDefinition(workflow(steps, more), known).map(({ path, code }) => `${path} ${code}`)
export const note = (title: string, key = 'note') => step('create_activity', { title }, { key })
export const yes = { left: 1, operator: 'equals', right: 1 }
export const branching = (branches: Record<string, WorkflowStep[]>, otherwise?: WorkflowStep[]) =>
  step('branch', {
    branches: Object.entries(branches).map(([name, steps]) => ({ name, when: yes, steps })),
    ...(otherwise && { else: otherwise }),
  })

/** A valid config for every step type. */
export const RIGHT = Object.fromEntries(
  Object.entries(STEPS).map(([type, { example }]) => [type, example]),
) as Record<StepType, Record<string, unknown>>
