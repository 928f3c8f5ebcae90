// An organization for definitions to be checked against.
import type { StepType } from '../../../contract/workflow-steps.ts'
import type { WorkflowDefinition, WorkflowStep } from '../../../contract/workflows.ts'
import type { ValueAttribute } from '../../records/values.ts'
import { step, workflow } from '../interpreter/run.fixture.ts'
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
export const PEOPLE = '0198c0de-0000-7000-8000-000000000001'
export const RECORD = '0198c0de-0000-7000-8000-000000000009'
const ENDPOINT = '0198c0de-0000-7000-8000-000000000008'
const REPORT = '0198c0de-0000-7000-8000-000000000009'
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
      ],
    },
    { id: RECORD, slug: 'old', isActive: false, attributes: [] },
  ],
  endpoints: [ENDPOINT],
  reports: [REPORT],
  secrets: ['ERP_TOKEN'],
  locale: { country: 'US', currency: 'USD' },
}

/** Paths and codes of what is wrong with a workflow of these steps. */
export const problemsOf = (steps: WorkflowStep[], more: Partial<WorkflowDefinition> = {}) =>
  checkDefinition(workflow(steps, more), known).map(({ path, code }) => `${path} ${code}`)
export const note = (title: string, key = 'note') => step('create_activity', { title }, { key })
export const yes = { left: 1, operator: 'equals', right: 1 }
export const branching = (branches: Record<string, WorkflowStep[]>, otherwise?: WorkflowStep[]) =>
  step('branch', {
    branches: Object.entries(branches).map(([name, steps]) => ({ name, when: yes, steps })),
    ...(otherwise && { else: otherwise }),
  })

/** A config of every type that is right. */
export const RIGHT: Record<StepType, Record<string, unknown>> = {
  find_records: { object: PEOPLE, sort: { field: 'age', order: 'asc' }, fields: ['email'] },
  get_record: { object: 'people', recordId: RECORD },
  create_record: { object: 'people', data: { name: 'Ada Lovelace', age: '{{1 | plus 1}}', stage: 'Won' } },
  update_record: { object: 'people', recordId: '{{trigger.recordId}}', data: { tags: ['a', '{{now}}'] } },
  upsert_record: { object: 'people', matchOn: 'email', data: { email: 'a@x.org' } },
  delete_record: { object: 'people', recordId: '{{trigger.recordId}}' },
  create_activity: { title: 'x', participants: [{ type: 'person', id: RECORD }] },
  condition: { when: { or: [yes, { and: [{ left: '{{now}}', operator: 'isEmpty' }] }] } },
  branch: { branches: [{ name: 'a', when: yes, steps: [] }] },
  for_each: { items: ['a', 'b'], as: 'one', steps: [] },
  delay: { until: '2026-11-20', timeOfDay: '09:00', timezone: 'Europe/Berlin' },
  http_request: { url: '{{secrets.ERP_TOKEN}}/x' },
  send_webhook: { endpointId: ENDPOINT, data: { any: ['{{trigger}}'] } },
  run_report: { reportId: REPORT, rows: 5 },
  send_email: { to: ['ada@example.com', '{{trigger.parameters}}'], subject: 'x', text: 'y' },
  set_variables: { variables: { a: 1 } },
  stop: {},
  fail: { message: 'x' },
}
