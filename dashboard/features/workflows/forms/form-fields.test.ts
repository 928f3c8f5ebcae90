import { describe, expect, test } from 'vitest'
import { STEP_CONTRACTS, STEP_TYPES, type StepType } from '../../../../contract/workflow-steps.ts'
import { type FieldSchema, fieldsOf, labelOf, withField } from './form-fields.ts'

const schemaOf = (type: StepType) => STEP_CONTRACTS[type].config as unknown as FieldSchema
const kindsOf = (schema: FieldSchema) =>
  Object.fromEntries(fieldsOf(schema).map(({ name, kind }) => [name, kind]))

describe('the fields of a config', () => {
  test.each([
    [
      'find_records',
      {
        ...{ object: 'object', filter: 'filter', onEmptyValue: 'choice', sort: 'group', limit: 'number' },
        fields: 'attributes',
      },
    ],
    ['update_record', { object: 'object', recordId: 'record', data: 'data', createMissing: 'flag' }],
    [
      'create_activity',
      {
        type: 'choice',
        title: 'template',
        summary: 'longTemplate',
        activityDate: 'template',
        assignee: 'template',
        linkedRecords: 'rows',
        participants: 'rows',
      },
    ],
    ['condition', { when: 'condition' }],
    // Inner steps are edited on the canvas.
    ['branch', { branches: 'rows' }],
    ['for_each', { items: 'template', as: 'text' }],
    ['delay', { seconds: 'number', until: 'template', timeOfDay: 'time', timezone: 'timeZone' }],
    [
      'http_request',
      { method: 'choice', url: 'template', headers: 'pairs', body: 'json', timeoutMs: 'number' },
    ],
    ['send_webhook', { endpointId: 'endpoint', data: 'json' }],
    ['send_email', { to: 'template', subject: 'template', text: 'longTemplate' }],
    ['set_variables', { variables: 'pairs' }],
  ] as const)('have the right kinds for %s', (type, kinds) => {
    expect(kindsOf(schemaOf(type))).toEqual(kinds)
  })

  test('are found in items of rows', () => {
    const branches = fieldsOf(schemaOf('branch'))[0]?.schema.items ?? {}
    expect(kindsOf(branches)).toEqual({ name: 'text', when: 'condition' })
    const participants = fieldsOf(schemaOf('create_activity'))[6]?.schema.items ?? {}
    expect(fieldsOf(participants).map(({ kind, options }) => [kind, options])).toEqual([
      ['choice', ['user', 'person']],
      ['record', []],
    ])
  })

  test('have a label in every type of step', () => {
    const labels = STEP_TYPES.flatMap((type) => fieldsOf(schemaOf(type)).map(({ label }) => label))
    expect(labels.filter((label) => !/^\p{Lu}/u.test(label))).toEqual([])
  })

  test('are required according to the schema', () => {
    const required = fieldsOf(schemaOf('upsert_record')).filter(({ isRequired }) => isRequired)
    expect(required.map(({ name }) => name)).toEqual(['object', 'matchOn', 'data'])
    expect(fieldsOf(schemaOf('stop'))[0]?.isRequired).toBe(false)
  })
})

test.each([
  ['createdAt', 'Created at'],
  ['job_title', 'Job title'],
  ['recordId', 'Record id'],
  ['id', 'Id'],
])('the label of %s is “%s”', (name, label) => {
  expect(labelOf(name)).toBe(label)
})

test('sets and removes a field', () => {
  expect(withField({ a: 1 }, 'b', 2)).toEqual({ a: 1, b: 2 })
  expect(withField({ a: 1, b: 2 }, 'b', undefined)).toEqual({ a: 1 })
})
