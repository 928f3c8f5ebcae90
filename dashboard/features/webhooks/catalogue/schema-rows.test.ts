import { expect, test } from 'vitest'
import { EVENT_BODIES } from '../../../../contract/event-bodies.ts'
import { schemaRows } from './schema-rows.ts'

const told = (schema: unknown) =>
  schemaRows(schema).map(({ path, type, isRequired }) => `${path}${isRequired ? '' : '?'}: ${type}`)

test('lists the fields of a record update, with a map of changes and nullable fields', () => {
  expect(told(EVENT_BODIES['record.updated'])).toEqual([
    'id: string',
    'type: "record.updated"',
    'timestamp: string',
    'organizationId: string',
    'actor: object or null',
    'actor.type: "member", "apiKey", or "workflow"',
    'actor.id: string',
    'recordId: string',
    'objectId: string or null',
    'version: integer',
    'data: object',
    'changes: object',
    'changes.*.from: any',
    'changes.*.to: any',
    'mergedIds?: array of strings',
    'isErased?: true',
    'erased?: true',
    'isTest?: true',
    'test?: true',
  ])
})

test('lists the fields of items in an array', () => {
  expect(told(EVENT_BODIES['activity.created'])).toEqual(
    expect.arrayContaining([
      'linkedRecords: array of objects',
      'linkedRecords[].objectId: string',
      'linkedRecords[].recordId: string',
    ]),
  )
})

test('rows contain descriptions', () => {
  const [id] = schemaRows(EVENT_BODIES['workflow.failed'])
  expect(id?.description).toMatch(/^The same for every attempt/)
})

test('accepts an array without items, and removes repeated alternatives', () => {
  const text = { type: 'string' }
  expect(
    told({ properties: { tags: { type: 'array' }, note: { anyOf: [text, text, { type: 'null' }] } } }),
  ).toEqual(['tags?: array', 'note?: string or null'])
})

test.each([[null], ['text'], [{}], [{ type: 'string' }]])('%j has no rows', (schema) =>
  expect(schemaRows(schema)).toEqual([]),
)
