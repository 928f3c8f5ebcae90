import { describe, expect, it } from 'vitest'
import type { WorkflowDefinition, WorkflowStep } from '../../../../contract/workflows.ts'
import { cronWords } from '../cron-words.ts'
import { namesOf } from '../node-names.ts'
import { secondsWords } from '../seconds-words.ts'
import { triggerWords } from '../trigger-words.ts'
import { stepWords } from './step-words.ts'
import { conditionWords, templateWords, valueWords } from './value-words.ts'

const nameOf = namesOf([
  { id: '0198c0de-0000-7000-8000-000000000001', slug: 'deals', singularName: 'Deal', pluralName: 'Deals' },
  {
    id: '0198c0de-0000-7000-8000-000000000002',
    slug: 'people',
    singularName: 'Person',
    pluralName: 'People',
  },
  { id: '0198c0de-0000-7000-8000-000000000003', slug: 'orders', singularName: 'Order', pluralName: 'Orders' },
])

describe('triggerWords', () => {
  const won = { attributeSlug: 'stage', operator: 'equals', value: 'Won' }
  const big = { attributeSlug: 'amount', operator: 'greaterThan', value: 50_000 }
  const cases: [string, Pick<WorkflowDefinition, 'trigger' | 'triggerConfig'>][] = [
    ['When a deal is created', { trigger: 'record/created', triggerConfig: { objectId: 'deals' } }],
    ['When an order is deleted', { trigger: 'record/deleted', triggerConfig: { objectId: 'orders' } }],
    [
      'When a deal is created where amount is more than 50,000',
      { trigger: 'record/created', triggerConfig: { objectId: 'deals', filter: big } },
    ],
    [
      'When a deal’s stage changes to Won',
      {
        trigger: 'record/updated',
        triggerConfig: {
          objectId: '0198c0de-0000-7000-8000-000000000001',
          watch: ['stage'],
          filter: { and: [won] },
        },
      },
    ],
    [
      'When a deal’s stage or close date changes where stage is Won and amount is more than 50,000',
      {
        trigger: 'record/updated',
        triggerConfig: { objectId: 'deals', watch: ['stage', 'close_date'], filter: { and: [won, big] } },
      },
    ],
    ['When a deal is updated', { trigger: 'record/updated', triggerConfig: { objectId: 'deals' } }],
    ['When a record is created', { trigger: 'record/created' }],
    [
      'When a record of a missing object is created',
      { trigger: 'record/created', triggerConfig: { objectId: 'missing' } },
    ],
    ['When an activity is created', { trigger: 'activity/created' }],
    [
      'When an activity of a person is updated',
      { trigger: 'activity/updated', triggerConfig: { objectId: 'people' } },
    ],
    [
      'Every Monday at 09:00 (Europe/Berlin)',
      { trigger: 'schedule', triggerConfig: { cron: '0 9 * * 1', timezone: 'Europe/Berlin' } },
    ],
    ['On a schedule', { trigger: 'schedule' }],
    ['When it is run manually or through the API', { trigger: 'manual' }],
    ['When someone runs it on a deal', { trigger: 'manual', triggerConfig: { objectId: 'deals' } }],
  ]
  it.each(cases)('returns “%s”', (words, definition) => {
    expect(triggerWords(definition, nameOf)).toBe(words)
  })
})

describe('stepWords', () => {
  const company = { attributeSlug: 'company', operator: 'equals', value: '{{trigger.data.company}}' }
  const cases: [string, WorkflowStep['type'], WorkflowStep['config']][] = [
    [
      'Find up to 50 people where company is the record’s company',
      'find_records',
      { object: 'people', filter: { and: [company] }, limit: 50 },
    ],
    ['Find up to 20 records', 'find_records', { object: 'missing' }],
    ['Get the person: owner of deal', 'get_record', { object: 'people', recordId: '{{steps.deal.owner}}' }],
    ['Get the deal', 'get_record', { object: 'deals', recordId: '{{trigger.recordId}}' }],
    [
      'Create a deal with name, amount, and 2 more',
      'create_record',
      { object: 'deals', data: { name: '', amount: 1, stage: '', close_date: '' } },
    ],
    [
      'Set stage and amount of the deal',
      'update_record',
      { object: 'deals', recordId: '{{trigger.recordId}}', data: { stage: 'Won', amount: 1 } },
    ],
    [
      'Create the person, or update the one with the same email',
      'upsert_record',
      { object: 'people', matchOn: 'email', data: {} },
    ],
    [
      'Delete a certain deal',
      'delete_record',
      { object: 'deals', recordId: '0198c0de-0000-7000-8000-000000000009' },
    ],
    [
      'Create a task “Say thanks to [name]”',
      'create_activity',
      { type: 'task', title: 'Say thanks to {{person.data.name}}' },
    ],
    [
      'The record’s amount is at least 1,000',
      'condition',
      { when: { left: '{{trigger.data.amount}}', operator: 'greaterThanOrEqual', right: 1000 } },
    ],
    [
      'If the record’s stage is Won',
      'branch',
      {
        branches: [
          { name: 'won', when: { left: '{{trigger.data.stage}}', operator: 'equals', right: 'Won' } },
        ],
      },
    ],
    ['big or small, otherwise go on', 'branch', { branches: [{ name: 'big' }, { name: 'small' }] }],
    ['For each contact found', 'for_each', { items: '{{steps.contacts.records}}', as: 'person' }],
    ['For each person found', 'for_each', { items: '{{steps.people.records}}', as: 'person' }],
    ['For each record found', 'for_each', { items: '{{ steps.found.records }}', as: 'item' }],
    ['For each tag of the record’s tags', 'for_each', { items: '{{trigger.data.tags}}', as: 'tag' }],
    ['No list yet', 'for_each', { items: '', as: 'item' }],
    ['Nothing to change yet', 'update_record', { object: 'deals', recordId: '', data: {} }],
    ['No variables yet', 'set_variables', { variables: {} }],
    ['Nothing to send yet', 'send_email', { to: '', subject: '', text: '' }],
    ['Create a note', 'create_activity', { type: 'note', title: '' }],
    ['No address yet', 'http_request', { method: 'POST', url: '' }],
    ['No time yet', 'delay', { until: '' }],
    ['No condition yet', 'condition', { when: { left: '', operator: 'equals', right: '' } }],
    ['Create or update a person', 'upsert_record', { object: 'people', matchOn: '', data: {} }],
    ['Wait 1 day', 'delay', { seconds: 86_400 }],
    [
      'Wait until the record’s close date at 09:00',
      'delay',
      { until: '{{trigger.data.close_date}}', timeOfDay: '09:00' },
    ],
    ['Wait until 09:00', 'delay', { timeOfDay: '09:00' }],
    ['POST to erp.example.com', 'http_request', { url: 'https://erp.example.com/orders?a=1' }],
    ['GET to [base]/orders', 'http_request', { method: 'GET', url: '{{vars.base}}/orders' }],
    ['Send an event to a webhook endpoint', 'send_webhook', { endpointId: 'x' }],
    [
      'Send “Open deals” to a@example.com, b@example.com',
      'send_email',
      { to: ['a@example.com', 'b@example.com'], subject: 'Open deals', text: '' },
    ],
    ['Set total', 'set_variables', { variables: { total: 1 } }],
    ['End the run here', 'stop', {}],
    ['No owner', 'fail', { message: 'no owner' }],
  ]
  it.each(cases)('returns the summary “%s”', (words, type, config) => {
    expect(stepWords({ key: 'k', type, config }, nameOf).summary).toBe(words)
  })

  it('returns the custom name of a step as title, else its type', () => {
    expect(stepWords({ key: 'k', type: 'stop', config: {}, name: 'Done' }, nameOf).title).toBe('Done')
    expect(stepWords({ key: 'k', type: 'stop', config: {} }, nameOf).title).toBe('Stop')
  })

  it('accepts a step of an unknown, later type', () => {
    const step = { key: 'k', type: 'foresee', config: {} } as unknown as WorkflowStep
    expect(stepWords(step, nameOf)).toMatchObject({ title: 'foresee' })
  })
})

describe('values', () => {
  it.each([
    ['trigger.activity.title', 'the activity’s title'],
    ['trigger.parameters.email', 'email'],
    ['steps.contacts.records | first', 'records of contacts'],
    ['steps.deal', 'deal'],
    ['vars.total', 'total'],
    ['person.data.first_name', 'person’s first name'],
    ['person.id', 'person'],
    ['now', 'now'],
  ])('describes {{%s}} as “%s”', (template, words) => {
    expect(templateWords(template)).toBe(words)
  })

  it('truncates long texts, and describes empty values', () => {
    expect(valueWords('x'.repeat(500))).toHaveLength(121)
    expect(valueWords('')).toBe('nothing')
    expect(valueWords({ a: 1 })).toBe('…')
  })

  it('puts only nested groups in brackets', () => {
    const is = (attributeSlug: string) => ({ attributeSlug, operator: 'isEmpty', value: true })
    expect(conditionWords({ and: [is('a'), { or: [is('b'), is('c')] }] })).toBe(
      'a is empty and (b is empty or c is empty)',
    )
    expect(conditionWords(undefined)).toBe('')
    expect(conditionWords({ left: '{{vars.n}}', operator: 'between', right: [1, 5] })).toBe(
      'n is between 1 and 5',
    )
  })
})

it.each([
  ['0 9 * * 1', 'every Monday at 09:00'],
  ['30 17 * * MON-FRI', 'every Monday to Friday at 17:30'],
  ['0 8 * * 1,3,5', 'every Monday, Wednesday, and Friday at 08:00'],
  ['0 0 * * 7', 'every Sunday at 00:00'],
  ['5 6 * * *', 'every day at 06:05'],
  ['0 * * * *', 'every hour'],
  ['15 * * * *', 'every hour at minute 15'],
  ['*/10 * * * *', 'every 10 minutes'],
  ['0 9 1 * *', 'on day 1 of every month at 09:00'],
  ['0 9 1 */3 *', 'on the schedule 0 9 1 */3 *'],
  ['0 9 * * 1#2', 'on the schedule 0 9 * * 1#2'],
  ['0 0 9 * * 1', 'on the schedule 0 0 9 * * 1'],
])('describes the schedule %s as “%s”', (cron, words) => {
  expect(cronWords(cron)).toBe(words)
})

it.each([
  [0, '0 seconds'],
  [90, '1 minute 30 seconds'],
  [129_600, '1 day 12 hours'],
  [604_800, '1 week'],
])('formats %d seconds as “%s”', (seconds, words) => {
  expect(secondsWords(seconds)).toBe(words)
})
