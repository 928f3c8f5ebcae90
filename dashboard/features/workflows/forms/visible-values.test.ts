import { describe, expect, test } from 'vitest'
import type { WorkflowDefinition, WorkflowStep } from '../../../../contract/workflows.ts'
import type { Attribute } from '../../../shared/api/objects.ts'
import { stepScopeOf } from './step-scope.ts'
import { labelOfValue, scopeOf, searchValues, valuesAt } from './visible-values.ts'

const step = (key: string, type: WorkflowStep['type'], config: WorkflowStep['config']): WorkflowStep => ({
  key,
  type,
  config,
})
const note = (key: string) => step(key, 'create_activity', { title: '' })

const DEFINITION: WorkflowDefinition = {
  trigger: 'record/created',
  triggerConfig: { objectId: 'deals' },
  steps: [
    step('find', 'find_records', { object: 'people' }),
    step('choice', 'branch', {
      branches: [
        { name: 'big', when: {}, steps: [note('inBig')] },
        {
          name: 'small',
          when: {},
          steps: [
            step('each', 'for_each', {
              items: '{{steps.find.records}}',
              as: 'person',
              steps: [note('inLoop'), note('lastInLoop')],
            }),
          ],
        },
      ],
      else: [note('inElse')],
    }),
    step('set', 'set_variables', { variables: { total: '5' } }),
    note('last'),
  ],
}

const IN_LOOP = 'steps[1].config.branches[1].steps[0].config.steps[1]'

describe('the scope of a step', () => {
  test.each([
    ['steps[0]', [], []],
    ['steps[1]', ['find'], []],
    ['steps[1].config.branches[0].steps[0]', ['find', 'choice'], []],
    // Without steps of another branch, but with the loop around the step.
    [IN_LOOP, ['find', 'choice', 'each', 'inLoop'], ['each']],
    ['steps[1].config.else[0]', ['find', 'choice'], []],
    ['steps[3]', ['find', 'choice', 'inBig', 'each', 'inLoop', 'lastInLoop', 'inElse', 'set'], []],
    ['', [], []],
  ])('at %s contains earlier steps and outer loops', (path, steps, loops) => {
    const sight = stepScopeOf(DEFINITION, path)
    expect(sight.steps.map(({ key }) => key)).toEqual(steps)
    expect(sight.loops.map(({ key }) => key)).toEqual(loops)
  })
})

const ATTRIBUTES: Record<
  string,
  (Pick<Attribute, 'slug' | 'name' | 'type'> & Partial<Pick<Attribute, 'config'>>)[]
> = {
  deals: [
    { slug: 'name', name: 'Deal name', type: 'text' },
    { slug: 'amount', name: 'Amount', type: 'currency' },
    { slug: 'contact', name: 'Contact', type: 'reference', config: { allowed_object_id: 'people' } },
  ],
  people: [{ slug: 'email', name: 'Email', type: 'email' }],
}

function valuesIn(path: string, outputs: Record<string, unknown> = {}, secrets: string[] = []) {
  const sight = stepScopeOf(DEFINITION, path)
  const trigger = { event: 'record/created', recordId: 'r1', data: { name: 'Big' }, parameters: {} }
  const scope = scopeOf(sight, { trigger, outputs, organization: { name: 'Initech' } })
  const attributesOf = (ref: string) => ATTRIBUTES[ref]
  const nounOf = (ref: string) => (ref === 'deals' ? 'deal' : undefined)
  return valuesAt({
    ...{ definition: DEFINITION, sight, scope, attributesOf, titleOf: ({ key }) => key, nounOf, secrets },
  })
}
const titles = (groups: ReturnType<typeof valuesIn>) => groups.map(({ title }) => title)
const find = (groups: ReturnType<typeof valuesIn>, expression: string) =>
  groups.flatMap(({ entries }) => entries).find((entry) => entry.expression === expression)

test('lists the nearest group first, without empty groups', () => {
  expect(titles(valuesIn(IN_LOOP))).toEqual([
    'Each person',
    'This deal',
    'inLoop',
    'each',
    'choice',
    'find',
    'Always available',
  ])
  expect(titles(valuesIn('steps[0]', {}, ['TOKEN']))).toEqual(['This deal', 'Secrets', 'Always available'])
  expect(titles(valuesIn('steps[3]'))).toContain('Variables')
})

test('attributes have names and, if available, an example', () => {
  const values = valuesIn('steps[0]')
  expect(find(values, 'trigger.data.name')).toMatchObject({ label: 'Deal name', sample: 'Big', depth: 0 })
  expect(find(values, 'trigger.data.amount.currency')).toMatchObject({ label: 'Currency', depth: 1 })
  expect(find(values, 'organization.name')?.sample).toBe('Initech')
})

test('offers records of a step before it was tested', () => {
  const values = valuesIn(IN_LOOP)
  expect(find(values, 'steps.find.records[0].data.email')).toMatchObject({
    label: 'Email',
    sample: undefined,
  })
  expect(find(values, 'person.data.email')).toMatchObject({ label: 'Email' })
  expect(find(values, 'person.id')).toBeDefined()
  expect(find(values, 'loop.number')?.sample).toBe(1)
})

test('lists the record of the trigger first, and the object of all values last', () => {
  const [, group] = valuesIn(IN_LOOP)
  expect(group?.entries.map(({ label }) => label)).toEqual([
    ...['The deal itself', 'Deal name', 'Amount', 'Amount', 'Currency', 'Contact', 'Email', 'All values'],
    'Parameters',
    'What happened',
  ])
})

test.each([
  ['trigger.data.amount', 'This deal › Amount'],
  ['trigger.data.amount.currency', 'This deal › Amount › Currency'],
  ['trigger.recordId', 'This deal'],
  ['trigger.data.contact.email', 'This deal › Contact › Email'],
  ['person.data.email', 'Person › Email'],
  ['steps.find.records[0].data.email', 'find › Records › First › Email'],
  ['organization.name', 'Organization'],
  ['trigger.data.missing', undefined],
])('the label of the value %s is %s', (expression, label) => {
  expect(labelOfValue(valuesIn(IN_LOOP), expression)).toBe(label)
})

test('uses outputs of steps as examples, and the first item of a list for its loop', () => {
  const records = [{ id: 'p1', data: { email: 'ada@x.org', extra: true } }]
  const values = valuesIn(IN_LOOP, { find: { count: 1, records } })
  expect(find(values, 'steps.find.count')?.sample).toBe(1)
  expect(find(values, 'person.data.email')?.sample).toBe('ada@x.org')
  expect(find(values, 'person.id')?.sample).toBe('p1')
})

test('uses the set value as example of a variable', () => {
  expect(find(valuesIn('steps[3]', { set: { total: 5 } }), 'vars.total')?.sample).toBe(5)
})

test('finds values by every word, including words of their path', () => {
  const found = searchValues(valuesIn(IN_LOOP), 'person mail')
  expect(found.map(({ title, entries }) => [title, entries.map(({ label }) => label)])).toEqual([
    ['Each person', ['Person › Email']],
  ])
  expect(searchValues(valuesIn(IN_LOOP), 'this name').flatMap(({ entries }) => entries)).toMatchObject([
    { expression: 'trigger.data.name', label: 'Deal name', depth: 0 },
  ])
  expect(searchValues(valuesIn(IN_LOOP), 'nothing like it')).toEqual([])
})
