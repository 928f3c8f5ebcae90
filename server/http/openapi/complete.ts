// What @fastify/swagger makes of the routes → the whole API document.
import type { RouteOptions } from 'fastify'
import { OPERATIONS, type Operation, TAGS } from '../../../contract/operations.ts'
import { schemasFor } from './components.ts'
import {
  JSON_MEDIA,
  type OpenApiDocument,
  type OperationObject,
  type Parameter,
  type Response,
} from './document.ts'
import { INTRODUCTION } from './introduction.ts'
import { HEADERS, parametersOf } from './parameters.ts'
import { errorResponses, jsonMedia, RESPONSE_HEADERS, successResponse } from './responses.ts'
import { definitionOf, referToNamed } from './schemas.ts'

export const API_PREFIX = '/api/v1'
const MUTATING = new Set(['POST', 'PATCH', 'DELETE'])
const SECURITY_SCHEME = 'apiKey'

interface Described {
  route: RouteOptions
  operation: Operation
}

/** `GET /objects/:objectId`: how contract/operations.ts lists a route. */
const operationKey = ({ method, url }: Pick<RouteOptions, 'method' | 'url'>) =>
  `${method} ${url.replace(API_PREFIX, '')}`

/** @throws when contract/operations.ts does not list the route */
export function describedRoute(route: RouteOptions): Described {
  const operation = OPERATIONS[operationKey(route)]
  if (!operation) throw new Error(`contract/operations.ts does not list ${operationKey(route)}`)
  return { route, operation }
}

interface RouteFacts {
  mutating: boolean
  filters: boolean
  matching: boolean
  searching: boolean
}

function factsOf({ method, schema, config }: RouteOptions): RouteFacts {
  const query = schema?.querystring as { patternProperties?: unknown } | undefined
  const body = schema?.body as { properties?: Record<string, unknown> } | undefined
  return {
    mutating: MUTATING.has(String(method)),
    filters: query?.patternProperties !== undefined,
    searching: body?.properties?.['filters'] !== undefined,
    matching: config?.errors?.includes('precondition_failed') ?? false,
  }
}

/** Resources that tell when they changed carry a version too. */
function isVersioned(schemaName: string | undefined): boolean {
  const name = schemaName?.split('/').at(-1)
  const { properties = {} } = name ? definitionOf(name) : {}
  return 'id' in properties && 'updatedAt' in properties
}

function successesOf(own: OperationObject['responses'], mutating: boolean): Record<string, Response> {
  return Object.fromEntries(
    Object.entries(own).map(([status, response]) => {
      const inlined = 'content' in response ? response.content?.[JSON_MEDIA]?.schema : undefined
      const schema = referToNamed(inlined ?? {})
      return [status, successResponse({ status, schema, mutating, tagged: isVersioned(schema.$ref) })]
    }),
  )
}

function bodyOf(
  own: OperationObject['requestBody'],
  { config }: RouteOptions,
): Pick<OperationObject, 'requestBody'> {
  const schema = own?.content[JSON_MEDIA]?.schema
  const required = !config?.isBodyOptional
  return schema ? { requestBody: { required, content: jsonMedia(referToNamed(schema)) } } : {}
}

function complete(
  own: OperationObject,
  { route, operation }: Described,
  responses: Record<string, Response>,
): OperationObject {
  const { mutating, filters, matching, searching } = factsOf(route)
  const scope = route.config?.scope ?? ''
  const errors = {
    own: route.config?.errors ?? [],
    mutating,
    named: route.url.includes(':'),
    filters: filters || searching,
  }
  return {
    operationId: operation.id,
    summary: operation.summary,
    description: [operation.description, `Needs the scope \`${scope}\`.`].filter(Boolean).join('\n\n'),
    tags: [operation.tag],
    security: [{ [SECURITY_SCHEME]: [] }],
    'x-required-scope': scope,
    parameters: parametersOf((own.parameters ?? []) as Parameter[], { filters, mutating, matching }),
    ...bodyOf(own.requestBody, route),
    responses: { ...successesOf(own.responses, mutating), ...errorResponses(errors, responses) },
  }
}

const ORDER = Object.keys(OPERATIONS)
const placeOf = ({ route }: Described) => ORDER.indexOf(operationKey(route))

const toTemplate = (url: string) => url.replace(/:(\w+)/g, '{$1}')

function tagsOf(described: readonly Described[]): OpenApiDocument['tags'] {
  const used = new Set(described.map(({ operation }) => operation.tag))
  return Object.entries(TAGS)
    .filter(([name]) => used.has(name as Operation['tag']))
    .map(([name, description]) => ({ name, description }))
}

const securitySchemes = {
  [SECURITY_SCHEME]: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'svc_ and 43 base64url characters',
    description: 'An API key of the organization, made by `npx rapport keys create`',
  },
}

/**
 * @param made the document as @fastify/swagger makes it: paths with parameters, bodies and own answers
 * @param described every route in it
 */
export function completeDocument(made: OpenApiDocument, described: readonly Described[]): OpenApiDocument {
  const responses: Record<string, Response> = {}
  const paths: OpenApiDocument['paths'] = {}
  for (const one of described.toSorted((a, b) => placeOf(a) - placeOf(b))) {
    const [path, method] = [toTemplate(one.route.url), String(one.route.method).toLowerCase()]
    const own = made.paths[path]?.[method]
    if (own) paths[path] = { ...paths[path], [method]: complete(own, one, responses) }
  }
  const shared = { responses, parameters: HEADERS, headers: RESPONSE_HEADERS }
  return {
    openapi: made.openapi,
    info: { ...made.info, description: INTRODUCTION },
    servers: made.servers,
    security: [{ [SECURITY_SCHEME]: [] }],
    tags: tagsOf(described),
    paths,
    components: { schemas: schemasFor({ paths, shared }), ...shared, securitySchemes },
  }
}
