// Parameters of the API document: those of the route with their descriptions, and the headers that its method implies.
import { SLUG_PATTERN } from '../../../contract/attribute-types.ts'
import { exampleId } from '../../../contract/example-values.ts'
import { REQUEST_ID_MAX } from '../../../contract/limits.ts'
import { FILTER_OPERATORS } from '../../../contract/operators.ts'
import { POSITION_HEADER } from '../../../contract/paging.ts'
import { type ApiRoute, placeOf } from '../../../contract/route.ts'
import { SECRET_NAME_PATTERN } from '../../../contract/workflow-states.ts'
import { type Parameter, type Ref, refTo, type Schema } from './document.ts'
import { referToNamed } from './schemas.ts'

const uuid = refTo('schemas', 'Uuid')

const byIdOrSlug = {
  description: 'The object’s id, or its slug',
  schema: { anyOf: [uuid, { type: 'string', pattern: SLUG_PATTERN }] },
  example: 'people',
}

const attributeByIdOrSlug = {
  description: 'The attribute’s id, or its slug',
  schema: byIdOrSlug.schema,
  example: 'job_title',
}

/** `recordId` → the record’s id. */
const byId = (name: string) => ({ description: `The ${name.replace(/Id$/, '')}’s id`, schema: uuid })

const operand = (operator: string): Schema =>
  /^is/.test(operator) ? { type: 'string', enum: ['true'] } : { type: 'string' }

const filter: Parameter = {
  name: 'filter',
  in: 'query',
  required: false,
  description: [
    'Filters, one parameter each: `filter[<attribute slug>][<operator>]=<operand>`, for example `filter[email][endsWith]=@example.com`. All filters must match; an attribute can have several. At most 20.',
    'The slug may be followed by a part of the values, `filter[address.city][equals]=London`, or be a path along one or two references, `filter[company.industry][equals]=Retail`. `created_at`, `updated_at`, `created_by` and `id` are filtered by like attributes.',
    'The operators of an attribute depend on its type. The operand of isEmpty, isNotEmpty, isTrue and isFalse is `true`. `%`, `_` and `\\` are plain characters.',
  ].join('\n\n'),
  style: 'deepObject',
  explode: true,
  schema: {
    type: 'object',
    description: 'Filters by attribute slug, part or path',
    additionalProperties: {
      type: 'object',
      description: 'Operands by operator',
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

/** Keys: names in components/parameters. */
export const HEADERS: Readonly<Record<string, Parameter>> = {
  RequestId: {
    name: 'X-Request-Id',
    in: 'header',
    required: false,
    description: 'Your own id for the request; returned in the response',
    schema: { type: 'string', minLength: 1, maxLength: REQUEST_ID_MAX, pattern: '^[\\x21-\\x7e]+$' },
    example: 'import-2026-11-20-0001',
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'Makes it safe to repeat the request: for 24 hours a request with the same key returns the response of the first request and does nothing. The request is rejected if the method, path or body differs (409 idempotency_conflict), or while the first request is still running (409 idempotency_in_progress).',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x20-\\x7e]+$' },
    example: '5f0c8c8e-2b4a-4a54-9f5b-2f2a7c1f3f10',
  },
  ChangeSet: {
    name: 'Rapport-Change-Set',
    in: 'header',
    required: false,
    description:
      'A new UUID that you generate: changes of records, activities, comments and files by all requests with this UUID can be undone together for 24 hours',
    schema: uuid,
    example: exampleId(20),
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    required: false,
    description: 'The ETag that you read: the request is rejected (412) if the resource has changed since',
    schema: { type: 'string' },
    example: '"3gq1x9"',
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    required: false,
    description:
      'The ETag of your copy: the response is a 304 without a body if the resource has not changed since',
    schema: { type: 'string' },
    example: '"3gq1x9"',
  },
  WritePosition: {
    name: POSITION_HEADER,
    in: 'header',
    required: false,
    description:
      'The value of this header in the response to your last write: the response includes that write. Only needed for writes with another key, or in installations with several processes',
    schema: { type: 'string' },
    example: '0d3f9a52-6a0e-4c1b-9a57-3f1c2b7e8d10',
  },
}

const BY_SLUG: Readonly<Record<string, Omit<Parameter, 'name' | 'in'>>> = {
  objectId: byIdOrSlug,
  attributeId: attributeByIdOrSlug,
  slug: {
    description: 'The slug of a unique attribute of the object',
    schema: { type: 'string', pattern: SLUG_PATTERN },
    example: 'email',
  },
  value: {
    description: 'The value of the attribute, with characters such as `/` encoded',
    schema: { type: 'string', minLength: 1 },
    example: 'ada@example.com',
  },
  secretName: {
    description: 'The name of the secret',
    schema: { type: 'string', pattern: SECRET_NAME_PATTERN },
    example: 'ERP_TOKEN',
  },
}

const pathParameters = (path: string): Parameter[] =>
  [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    ...(BY_SLUG[name] ?? byId(name)),
  }))

function queryParameters({ properties = {}, required = [] }: QuerySchema): Parameter[] {
  return Object.entries(properties).map(([name, { description = '', examples: _, ...schema }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    description,
    schema: referToNamed(schema),
  }))
}

interface QuerySchema {
  properties?: Record<string, Schema & { description?: string }>
  required?: string[]
}

const headerParameters = ({ media }: ApiRoute): Parameter[] =>
  Object.entries(media?.headers ?? {}).map(([name, { description, schema, example }]) => ({
    name,
    in: 'header',
    required: true,
    description,
    schema: referToNamed(schema as Schema),
    example,
  }))

interface ImpliedParameters {
  filters: boolean
  mutating: boolean
  matching: boolean
  /** Whether the route supports If-None-Match. */
  conditional: boolean
}

/** Routes that support change sets: writes and restores of records (up to a hundred), activities, comments and files. */
const IN_SETS = [
  /^(?:POST|PATCH|PUT|DELETE) \/objects\/:objectId\/records(?:\/bulk|\/merge|\/:recordId|\/by\/:slug\/:value)?$/,
  /^(?:POST|PATCH|DELETE) \/activities(?:\/:activityId)?$/,
  /^POST \/objects\/:objectId\/records\/:recordId\/comments$/,
  /^(?:PATCH|DELETE) \/comments\/:commentId$/,
  /^POST \/objects\/:objectId\/trashed-records\/:recordId\/restore$/,
  /^(?:POST|PATCH|DELETE) \/(?:objects\/:objectId\/records\/:recordId|activities\/:activityId)\/attachments(?:\/:attachmentId)?$/,
  /^POST \/trashed-(?:activities|comments|attachments)\/:\w+\/restore$/,
]

const isInSets = ({ at }: ApiRoute) => IN_SETS.some((routes) => routes.test(at))

/** The declared parameters of a route, and those that its method and errors imply. */
export function documentedParameters(route: ApiRoute, implied: ImpliedParameters): (Parameter | Ref)[] {
  const query = (route.query ?? {}) as QuerySchema
  return [
    ...pathParameters(placeOf(route).path),
    ...queryParameters(query),
    ...headerParameters(route),
    ...(implied.filters ? [filter] : []),
    ...(implied.matching ? [refTo('parameters', 'IfMatch')] : []),
    ...(implied.conditional ? [refTo('parameters', 'IfNoneMatch')] : []),
    ...(isInSets(route) ? [refTo('parameters', 'ChangeSet')] : []),
    ...(implied.mutating ? [refTo('parameters', 'IdempotencyKey')] : []),
    ...(query.properties?.['consistency'] ? [refTo('parameters', 'WritePosition')] : []),
    refTo('parameters', 'RequestId'),
  ]
}
