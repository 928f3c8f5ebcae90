import { expect, it } from 'vitest'
import type { Workflow, WorkflowParameter } from '../api/workflows.ts'
import { dataOf, draftsOf, runnableOn, takesRecord } from './parameters.ts'

const parameters: WorkflowParameter[] = [
  { name: 'email', type: 'text', required: true },
  { name: 'amount', type: 'number', default: 5 },
  { name: 'urgent', type: 'checkbox', default: true },
  { name: 'due', type: 'date' },
  { name: 'tags', type: 'list', default: ['a', 'b'] },
  { name: 'extra', type: 'json', default: { a: 1 } },
]

it('starts with the defaults', () => {
  expect(draftsOf(parameters)).toEqual({
    email: '',
    amount: '5',
    urgent: true,
    due: '',
    tags: ['a', 'b'],
    extra: '{\n  "a": 1\n}',
  })
})

it('converts each value to its type, and omits missing values', () => {
  const drafts = { ...draftsOf(parameters), email: ' a@b.c ', due: '2026-11-30', tags: [], extra: '[1]' }
  expect(dataOf(parameters, drafts)).toEqual({
    data: { email: 'a@b.c', amount: 5, urgent: true, due: '2026-11-30', extra: [1] },
    errors: {},
  })
})

it.each([
  ['1.50', 1.5],
  ['-3', -3],
  ['many', 'many'],
  ['12345678901234567890.5', '12345678901234567890.5'],
])('reads the number %s as %j', (amount, value) => {
  expect(dataOf(parameters, { email: 'x', amount }).data.amount).toBe(value)
})

it('reports missing values and invalid JSON', () => {
  expect(dataOf(parameters, { ...draftsOf(parameters), extra: '{' }).errors).toEqual({
    email: 'This is required',
    extra: 'This is not JSON',
  })
})

const workflow = (part: Partial<Workflow>) =>
  ({ enabled: true, trigger: 'manual', object: { slug: 'deals' }, ...part }) as Workflow

it('offers the enabled manual workflows of the object', () => {
  const deals = workflow({})
  const others = [
    workflow({ enabled: false }),
    workflow({ trigger: 'record/created' }),
    workflow({ object: null }),
    workflow({ object: { id: '1', slug: 'people', pluralName: 'People' } }),
  ]
  expect(runnableOn([deals, ...others], 'deals')).toEqual([deals])
})

it('requires a record only for workflows with records', () => {
  expect(takesRecord(workflow({ trigger: 'record/updated' }))).toBe(true)
  expect(takesRecord(workflow({ object: null }))).toBe(false)
  expect(takesRecord(workflow({ trigger: 'schedule' }))).toBe(false)
})
