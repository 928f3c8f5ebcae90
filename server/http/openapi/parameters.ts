// Parameters of the API document: those of the route, told fully, and the headers that its method implies.
import { SLUG_PATTERN } from '../../../contract/attribute-types.ts'
import { REQUEST_ID_MAX } from '../../../contract/limits.ts'
import { FILTER_OPERATORS } from '../../../contract/operators.ts'
import { type Parameter, type Ref, refTo, type Schema } from './document.ts'
import { referToNamed } from './schemas.ts'

const uuid = refTo('schemas', 'Uuid')

const PATH: Readonly<Record<string, { description: string; schema: Schema; example?: string }>> = {
  objectId: {
    description: 'The object’s id, or its slug',
    schema: { anyOf: [uuid, { type: 'string', pattern: SLUG_PATTERN }] },
    example: 'people',
  },
  attributeId: { description: 'The attribute’s id', schema: uuid },
  recordId: { description: 'The record’s id', schema: uuid },
  activityId: { description: 'The activity’s id', schema: uuid },
  workflowId: { description: 'The workflow’s id', schema: uuid },
  reportId: { description: 'The report’s id', schema: uuid },
  runId: { description: 'The run’s id', schema: uuid },
}

/** Of query parameters whose route says nothing of them. */
const QUERY: Readonly<Record<string, string>> = {
  sort: 'Which time to sort by',
  order: 'Newest first, or oldest first with asc',
  recordId: 'Only activities linked to this record',
  type: 'Only activities of this type',
  createdBy: 'Only activities created by this user',
}

const operand = (operator: string): Schema =>
  /^is/.test(operator) ? { type: 'string', enum: ['true'] } : { type: 'string' }

const filter: Parameter = {
  name: 'filter',
  in: 'query',
  required: false,
  description: [
    'Conditions that records must meet, one parameter each: `filter[<attribute slug>][<operator>]=<operand>`, for example `filter[email][endsWith]=@example.com`. All must hold; several on one attribute too. At most 20.',
    'Which operators an attribute takes depends on its type. The operand of isEmpty, isNotEmpty, isTrue and isFalse is `true`. `%`, `_` and `\\` are plain characters.',
  ].join('\n\n'),
  style: 'deepObject',
  explode: true,
  schema: {
    type: 'object',
    description: 'By attribute slug',
    additionalProperties: {
      type: 'object',
      description: 'By operator',
      additionalProperties: false,
      properties: Object.fromEntries(FILTER_OPERATORS.map((operator) => [operator, operand(operator)])),
    },
  },
  examples: {
    one: { summary: 'filter[industry][equals]=Energy', value: { industry: { equals: 'Energy' } } },
    range: {
      summary: 'filter[employees][greaterThanOrEqual]=100&filter[employees][lessThan]=1000',
      value: { employees: { greaterThanOrEqual: '100', lessThan: '1000' } },
    },
  },
}

/** By their names in components/parameters. */
export const HEADERS: Readonly<Record<string, Parameter>> = {
  RequestId: {
    name: 'X-Request-Id',
    in: 'header',
    required: false,
    description: 'Your own name for the request; echoed in the answer',
    schema: { type: 'string', minLength: 1, maxLength: REQUEST_ID_MAX, pattern: '^[\\x21-\\x7e]+$' },
    example: 'import-2026-11-20-0001',
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'Makes a repeat safe: for 24 hours the same key answers what the first request answered, and does nothing. With another method, path or body it is refused (409 idempotency_conflict), and while the first request still runs (409 idempotency_in_progress).',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x20-\\x7e]+$' },
    example: '5f0c8c8e-2b4a-4a54-9f5b-2f2a7c1f3f10',
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    required: false,
    description: 'The ETag you read: the request is refused (412) when the resource has changed since',
    schema: { type: 'string' },
    example: '"3gq1x9"',
  },
}

function told(parameter: Parameter): Parameter {
  const known = parameter.in === 'path' ? PATH[parameter.name] : undefined
  if (known) return { ...parameter, ...known }
  const { example: _, examples: __, ...rest } = parameter
  const description = parameter.description ?? QUERY[parameter.name]
  return { ...rest, ...(description && { description }), schema: referToNamed(parameter.schema) }
}

interface ImpliedParameters {
  filters: boolean
  mutating: boolean
  matching: boolean
}

/** @param own the route's path and query parameters, as @fastify/swagger has them */
export function parametersOf(own: readonly Parameter[], implied: ImpliedParameters): (Parameter | Ref)[] {
  const inPath = own.filter((one) => one.in === 'path')
  const inQuery = own.filter((one) => one.in === 'query')
  return [
    ...inPath.map(told),
    ...inQuery.map(told),
    ...(implied.filters ? [filter] : []),
    ...(implied.matching ? [refTo('parameters', 'IfMatch')] : []),
    ...(implied.mutating ? [refTo('parameters', 'IdempotencyKey')] : []),
    refTo('parameters', 'RequestId'),
  ]
}
