import { describe, expect, test } from 'vitest'
import type { StepType } from '../../../contract/workflow-steps.ts'
import { step } from '../interpreter/run.fixture.ts'
import { problemsOf, RECORD, RIGHT, yes } from './check.fixture.ts'

test.each(Object.entries(RIGHT))('%s with a valid config has no problems', (type, config) => {
  expect(problemsOf([step(type as StepType, config)])).toEqual([])
})

test('a reference may name a unique value of its record', () => {
  const data = { name: 'Ada Lovelace', company: { domain: 'acme.com' } }
  expect(problemsOf([step('create_record', { object: 'people', data, createMissing: true })])).toEqual([])
})

test.each<[StepType, Record<string, unknown>, string]>([
  ['find_records', { object: 'people', limit: 5000 }, 'limit maximum'],
  ['find_records', { object: 'missing' }, 'object unknown_object'],
  ['find_records', {}, 'object required'],
  ['find_records', { object: 'people', other: 1 }, 'other unknown_field'],
  ['find_records', { object: 'people', sort: { field: 'tags' } }, 'sort.field invalid_sort'],
  ['find_records', { object: 'people', fields: ['email', 'x'] }, 'fields[1] unknown_attribute'],
  ['get_record', { object: 'people', recordId: '12' }, 'recordId invalid_id'],
  ['create_record', { object: 'old', data: {} }, 'object object_inactive'],
  ['create_record', { object: 'people', data: {} }, 'data.name required'],
  [
    'create_record',
    { object: 'people', data: { name: 'x', nope: '{{now}}' } },
    'data.nope unknown_attribute',
  ],
  ['create_record', { object: 'people', data: { name: 'x', age: 'old' } }, 'data.age invalid_number'],
  [
    'create_record',
    { object: 'people', data: { name: 'x', company: { industry: 'Energy' } } },
    'data.company not_unique',
  ],
  [
    'create_record',
    { object: 'people', data: { name: 'x', company: { domain: 'no host' } } },
    'data.company.domain invalid_domain',
  ],
  [
    'update_record',
    { object: 'people', recordId: RECORD, data: { stage: 'Lost' } },
    'data.stage unknown_option',
  ],
  ['upsert_record', { object: 'people', matchOn: 'age', data: {} }, 'matchOn not_unique'],
  ['upsert_record', { object: 'people', matchOn: 'email', data: {} }, 'matchOn required'],
  ['delete_record', { object: 'people', recordId: 'x' }, 'recordId invalid_id'],
  ['create_activity', { title: '' }, 'title minLength'],
  ['create_activity', { title: 'x', type: 'party' }, 'type enum'],
  ['create_activity', { title: 'x', activityDate: 'soon' }, 'activityDate invalid_date'],
  [
    'create_activity',
    { title: 'x', linkedRecords: [{ objectId: 'missing', recordId: RECORD }] },
    'linkedRecords[0].objectId unknown_object',
  ],
  ['condition', {}, 'when required'],
  ['condition', { when: { left: 1, operator: 'is' } }, 'when.operator unknown_operator'],
  ['condition', { when: { left: 1, operator: 'equals' } }, 'when.right required'],
  ['condition', { when: { left: '', operator: 'isEmpty' } }, 'when.left required'],
  ['condition', { when: { left: 1, operator: 'between', right: [1] } }, 'when.right wrong_operand'],
  ['condition', { when: { and: [] } }, 'when.and invalid_group'],
  ['condition', { when: { or: [yes, { left: 1, operator: 'x' }] } }, 'when.or[1].operator unknown_operator'],
  ['condition', { when: 'yes' }, 'when invalid_type'],
  ['branch', { branches: [] }, 'branches minItems'],
  ['branch', { branches: [{ name: 'else', when: yes, steps: [] }] }, 'branches[0].name reserved'],
  ['branch', { branches: [{ name: 'a b', when: yes, steps: [] }] }, 'branches[0].name pattern'],
  [
    'branch',
    { branches: [0, 1].map(() => ({ name: 'a', when: yes, steps: [] })) },
    'branches[1].name duplicate',
  ],
  [
    'branch',
    { branches: [{ name: 'a', when: { left: 1, operator: 'x' }, steps: [] }] },
    'branches[0].when.operator unknown_operator',
  ],
  ['for_each', { items: 'abc', as: 'one', steps: [] }, 'items invalid_type'],
  ['for_each', { items: '', as: 'one', steps: [] }, 'items required'],
  ['for_each', { items: [1], as: 'steps', steps: [] }, 'as reserved'],
  ['delay', {}, ' invalid_delay'],
  ['delay', { seconds: 5, timeOfDay: '09:00' }, ' invalid_delay'],
  ['delay', { until: 'soon' }, 'until invalid_date'],
  ['delay', { timeOfDay: '9:00' }, 'timeOfDay pattern'],
  ['delay', { timeOfDay: '09:00', timezone: 'Mars' }, 'timezone invalid_time_zone'],
  ['http_request', { url: 'ftp://x.org' }, 'url invalid_url'],
  ['http_request', { url: 'x.org/{{now}}' }, 'url invalid_url'],
  ['http_request', { url: 'https://' }, 'url invalid_url'],
  ['http_request', { url: 'https://x.org', headers: { 'a b': 'c' } }, 'headers.a b invalid_header'],
  ['http_request', { url: 'https://x.org', method: 'HEAD' }, 'method enum'],
  ['send_webhook', { endpointId: RECORD }, 'endpointId unknown_endpoint'],
  ['send_email', { to: 'Ada', subject: 'x', text: 'y' }, 'to invalid_email'],
  ['send_email', { to: ['a@x.org', 'Ada'], subject: 'x', text: 'y' }, 'to[1] invalid_email'],
  ['send_email', { to: 'a@x.org', subject: 'x' }, 'text required'],
  ['set_variables', { variables: {} }, 'variables minProperties'],
  ['set_variables', { variables: { '1a': 1 } }, 'variables.1a pattern'],
  ['fail', {}, 'message required'],
])('%s with %j has the problem %s', (type, config, expected) => {
  const at = expected.startsWith(' ') ? '' : '.'
  expect(problemsOf([step(type, config)])).toEqual([`steps[0].config${at}${expected}`])
})

describe('the kind of a template result must fit the field', () => {
  const RECORD_TRIGGER = { trigger: 'record/updated', triggerConfig: { objectId: 'people' } } as const
  const made = step('create_record', { object: 'people', data: { name: 'Ada' } }, { key: 'made' })
  const problems = (type: StepType, config: Record<string, unknown>) =>
    problemsOf([made, step(type, config, { key: 'own' })], RECORD_TRIGGER)

  test.each<[StepType, Record<string, unknown>, string]>([
    ['delay', { until: '{{trigger.recordId}}' }, 'until wrong_type'],
    ['delay', { until: '{{trigger.data.age}}' }, 'until wrong_type'],
    ['delay', { until: '{{steps.made.id}}' }, 'until wrong_type'],
    ['delay', { until: '{{steps.made.data.email}}' }, 'until wrong_type'],
    ['delay', { until: "{{trigger.recordId | default '2026-11-20'}}" }, 'until wrong_type'],
    ['delay', { until: '{{trigger.recordId | addDays 3}}' }, 'until wrong_argument'],
    ['create_activity', { title: 'x', activityDate: '{{run.id}}' }, 'activityDate wrong_type'],
    ['create_record', { object: 'people', data: { name: 'x', age: '{{run.id}}' } }, 'data.age wrong_type'],
    ['create_record', { object: 'people', data: { name: 'x', age: '{{now}}' } }, 'data.age wrong_type'],
    ['get_record', { object: 'people', recordId: '{{now}}' }, 'recordId wrong_type'],
    [
      'find_records',
      {
        object: 'people',
        filter: { and: [{ attributeSlug: 'age', operator: 'equals', value: '{{run.id}}' }] },
      },
      'filter.and[0].value wrong_type',
    ],
  ])('%s with %j: %s', (type, config, expected) => {
    expect(problems(type, config)).toEqual([`steps[1].config.${expected}`])
  })

  test.each<[StepType, Record<string, unknown>]>([
    ['delay', { until: '{{now | addDays 3}}' }],
    ['delay', { until: '{{steps.made.createdAt}}' }],
    ['delay', { until: '{{trigger.data.name | text}}' }],
    ['delay', { until: '{{trigger.data.stage}}' }],
    ['create_activity', { title: '{{trigger.recordId}}', activityDate: '{{run.startedAt}}' }],
    ['create_record', { object: 'people', data: { name: 'x', age: '{{trigger.data.age | plus 1}}' } }],
    ['get_record', { object: 'people', recordId: '{{steps.made.id}}' }],
    [
      'find_records',
      {
        object: 'people',
        filter: { attributeSlug: 'created_at', operator: 'lessThan', value: '{{run.startedAt}}' },
      },
    ],
  ])('%s with %j has no problems', (type, config) => {
    expect(problems(type, config)).toEqual([])
  })
})

describe('filters', () => {
  test.each<[unknown, string]>([
    [{ attributeSlug: 'nope', operator: 'equals', value: 'x' }, '.attributeSlug unknown_attribute'],
    [{ attributeSlug: 'age', operator: 'like', value: 'x' }, '.operator unknown_operator'],
    [{ attributeSlug: 'age', operator: 'contains', value: 'x' }, '.operator operator_not_defined'],
    [{ attributeSlug: 'id', operator: 'contains', value: 'x' }, '.operator operator_not_defined'],
    [{ attributeSlug: 'created_at', operator: 'equals', value: 'x' }, '.value wrong_operand'],
    [{ attributeSlug: 'age', operator: 'equals', value: 'x' }, '.value wrong_operand'],
    [{ attributeSlug: 'age', operator: 'equals', value: [1] }, '.value wrong_operand'],
    [{ attributeSlug: 'age', operator: 'between', value: [1] }, '.value wrong_operand'],
    [{ attributeSlug: 'age', operator: 'in', value: 1 }, '.value wrong_operand'],
    [{ attributeSlug: 'age', operator: 'isEmpty', value: 'no' }, '.value wrong_operand'],
    [{ attributeSlug: 'age', operator: 'equals', value: 1, x: 1 }, ' unknown_field'],
    [{}, ' required'],
    [{ and: [] }, '.and invalid_group'],
    [{ or: [{ attributeSlug: 'x' }] }, '.or[0].operator unknown_operator'],
    [{ and: [1] }, '.and[0] invalid_type'],
    [
      { and: [{ and: [{ and: [{ and: [{ and: [{ and: [] }] }] }] }] }] },
      '.and[0].and[0].and[0].and[0].and[0].and invalid_group',
    ],
    [
      { and: [{ and: [{ and: [{ and: [{ and: [{ and: [1] }] }] }] }] }] },
      '.and[0].and[0].and[0].and[0].and[0].and[0] invalid_type',
    ],
    [{ attributeSlug: 'age', operator: 'equals', value: '{{nope}}' }, '.value unknown_path'],
  ])('%j: %s', (filter, expected) => {
    const steps = [step('find_records', { object: 'people', filter })]
    expect(problemsOf(steps)).toEqual([`steps[0].config.filter${expected}`])
  })

  test('templates can be operands, also in lists', () => {
    const filter = {
      or: [
        { attributeSlug: 'age', operator: 'in', value: '{{trigger.parameters}}' },
        { attributeSlug: 'age', operator: 'between', value: [1, '{{now | length}}'] },
      ],
    }
    expect(problemsOf([step('find_records', { object: 'people', filter })])).toEqual([])
  })
})
