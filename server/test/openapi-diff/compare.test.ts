// The comparison of two API documents reports changes that break callers, and accepts additions.
import { expect, test } from 'vitest'
import type { OpenApiDocument, OperationObject, Schema } from '../../http/openapi/document.ts'
import { additionsTo, lossesOf } from './compare.ts'

const json = (schema: Schema) => ({ 'application/json': { schema } })

const sent: Schema = {
  type: 'object',
  required: ['name'],
  properties: { name: { type: 'string', maxLength: 100 }, color: { type: 'string', enum: ['red', 'blue'] } },
  additionalProperties: false,
}

const answered: Schema = {
  type: 'object',
  required: ['id', 'state'],
  properties: {
    id: { type: 'string' },
    state: { enum: ['open', 'closed'] },
    parent: { $ref: '#/components/schemas/Thing' },
    places: { type: 'array', items: { type: 'string' } },
    code: { type: 'string', pattern: '^[a-z]+$' },
  },
}

const operation: OperationObject = {
  operationId: 'createThing',
  'x-required-scope': 'things:write',
  parameters: [{ name: 'limit', in: 'query', schema: { type: 'integer', maximum: 100 } }],
  requestBody: { required: true, content: json({ $ref: '#/components/schemas/NewThing' }) },
  responses: { 201: { description: 'Made', content: json({ $ref: '#/components/schemas/Thing' }) } },
}

interface Change {
  sent?: Schema
  answered?: Schema
  operation?: Partial<OperationObject>
  paths?: OpenApiDocument['paths']
}

const documentWith = (change: Change = {}): OpenApiDocument => ({
  openapi: '3.1.0',
  info: {},
  servers: [],
  tags: [],
  paths: change.paths ?? { '/things': { post: { ...operation, ...change.operation } } },
  webhooks: {},
  components: {
    schemas: { Thing: { ...answered, ...change.answered }, NewThing: { ...sent, ...change.sent } },
    parameters: {},
    headers: {},
    responses: {},
    securitySchemes: {},
  },
})

const before = documentWith()
const lossesWith = (change: Change) => lossesOf(before, documentWith(change))

test('the same document has no differences', () => {
  expect(lossesOf(before, documentWith())).toEqual([])
  expect(additionsTo(before, documentWith())).toEqual([])
})

const named = (properties: Schema['properties']) => ({ properties: { ...sent.properties, ...properties } })
const told = (properties: Schema['properties']) => ({
  properties: { ...answered.properties, ...properties },
})

test.each<[string, Change]>([
  ['an operation', { paths: { ...before.paths, '/others': { get: operation } } }],
  ['an optional field that is sent', { sent: named({ size: { type: 'integer' } }) }],
  ['a field that is no longer required', { sent: { required: [] } }],
  ['a longer text', { sent: named({ name: { type: 'string', maxLength: 200 } }) }],
  ['a value that may be sent', { sent: named({ color: { type: 'string', enum: ['red', 'blue', 'gray'] } }) }],
  [
    'another form of a field that is sent',
    { sent: named({ name: { anyOf: [sent.properties?.['name'] ?? {}, { type: 'null' }] } }) },
  ],
  ['a field of the answer', { answered: told({ size: { type: 'integer' } }) }],
  ['a value that is answered', { answered: told({ state: { enum: ['open', 'closed', 'late'] } }) }],
  [
    'a form with an optional ending',
    { answered: told({ code: { type: 'string', pattern: '^[a-z]+(-[0-9])?$' } }) },
  ],
  ['other words', { operation: { summary: 'Make a thing' }, answered: { description: 'A thing' } }],
  [
    'an optional parameter',
    {
      operation: {
        parameters: [...(operation.parameters ?? []), { name: 'q', in: 'query', schema: { type: 'string' } }],
      },
    },
  ],
  [
    'another status',
    { operation: { responses: { ...operation.responses, 409: { description: 'Conflict' } } } },
  ],
])('%s counts as an addition', (_, change) => {
  expect(lossesWith(change)).toEqual([])
})

test('lists new operations', () => {
  const now = documentWith({ paths: { ...before.paths, '/others': { get: operation } } })
  expect(additionsTo(before, now)).toEqual(['GET /others'])
})

const at = 'POST /things'

test.each<[string, Change, string]>([
  ['an operation that is missing', { paths: {} }, `${at}: is missing`],
  [
    'another scope',
    { operation: { 'x-required-scope': 'things:manage' } },
    `${at}: x-required-scope was things:write and is things:manage`,
  ],
  ['a parameter that is missing', { operation: { parameters: [] } }, `${at}, query limit: is missing`],
  [
    'a lower maximum',
    { operation: { parameters: [{ name: 'limit', in: 'query', schema: { type: 'integer', maximum: 50 } }] } },
    `${at}, query limit: maximum was 100 and is 50`,
  ],
  ['a status that is missing', { operation: { responses: {} } }, `${at}, 201: is missing`],
  [
    'a field that cannot be sent',
    { sent: { properties: { name: { type: 'string', maxLength: 100 } } } },
    `${at}, body.color: is missing`,
  ],
  [
    'a field that must be sent',
    { sent: { required: ['name', 'color'] } },
    `${at}, body.color: is required now`,
  ],
  [
    'a value that cannot be sent',
    { sent: named({ color: { type: 'string', enum: ['red'] } }) },
    `${at}, body.color: the value "blue" is missing`,
  ],
  [
    'a text without blanks',
    { sent: named({ name: { type: 'string', maxLength: 100, pattern: '\\S' } }) },
    `${at}, body.name: pattern was undefined and is "\\\\S"`,
  ],
  [
    'another form in the answer',
    { answered: told({ code: { type: 'string', pattern: '^[a-z]+(-)([0-9])?$' } }) },
    `${at}, 201.code: pattern was "^[a-z]+$" and is "^[a-z]+(-)([0-9])?$"`,
  ],
  ['a field that may be missing', { answered: { required: ['id'] } }, `${at}, 201.state: may be absent now`],
  [
    'another type in the answer',
    { answered: told({ id: { type: 'integer' } }) },
    `${at}, 201.id: type was "string" and is "integer"`,
  ],
  [
    'another type in a list',
    { answered: told({ places: { type: 'array', items: { type: 'integer' } } }) },
    `${at}, 201.places[]: type was "string" and is "integer"`,
  ],
  [
    'null as a new value in the answer',
    { answered: told({ id: { anyOf: [{ type: 'string' }, { type: 'null' }] } }) },
    `${at}, 201.id: answers have 1 other alternatives`,
  ],
])('%s is reported as a loss', (_, change, line) => {
  expect(lossesWith(change)).toEqual([line])
})
