// Generates the API document from the contract's routes and events.
import { API } from '../../../contract/api.ts'
import { type ApiRoute, isBodyOptional, placeOf } from '../../../contract/route.ts'
import { schemasFor } from './components.ts'
import type { OpenApiDocument, OperationObject, Response, Schema } from './document.ts'
import { descriptionOf } from './introduction.ts'
import { documentedParameters, HEADERS } from './parameters.ts'
import {
  errorResponses,
  jsonMedia,
  notModified,
  RESPONSE_HEADERS,
  successResponse,
  textMedia,
} from './responses.ts'
import { referToNamed, schemaDefinition } from './schemas.ts'
import { type EventExample, WEBHOOK_HEADERS, webhooksOf } from './webhooks.ts'

export const API_PREFIX = '/api/v1'
const SECURITY_SCHEME = 'apiKey'

function factsOf(route: ApiRoute) {
  const { at, query, body, media, response, errors = [] } = route
  // A route that streams its body or a file does not support Idempotency-Key.
  const mutating = !at.startsWith('GET ') && media === undefined
  const { properties } = (body ?? {}) as Schema
  return {
    mutating,
    // http/unchanged.ts answers each GET with an ETag.
    conditional: at.startsWith('GET ') && Object.values(response).some((answer) => isTagged(route, answer)),
    filters: query !== undefined && 'patternProperties' in query,
    searching: properties?.['filters'] !== undefined,
    matching: errors.includes('precondition_failed'),
  }
}

/** Whether responses have an ETag: resources with the time of their last change do. */
function isVersioned({ $ref }: Schema): boolean {
  const name = $ref?.split('/').at(-1)
  const { properties = {} } = name ? schemaDefinition(name) : {}
  return 'id' in properties && 'updatedAt' in properties
}

const isTagged = ({ media }: ApiRoute, answer: unknown): boolean =>
  media === undefined && isVersioned(referToNamed(answer as Schema, 'response'))

function successesOf(route: ApiRoute, mutating: boolean): Record<string, Response> {
  const { response, example, media, readScope } = route
  return Object.fromEntries(
    Object.entries(response).map(([status, answer]) => {
      const schema = referToNamed(answer as Schema, 'response')
      const success = {
        status,
        schema,
        readScope,
        example: example.response,
        mutating,
        tagged: isTagged(route, answer),
        types: media?.response,
      }
      return [status, successResponse(success)]
    }),
  )
}

function bodyOf({ body, media, example }: ApiRoute): Pick<OperationObject, 'requestBody'> {
  if (media?.body)
    return {
      requestBody: { required: true, content: textMedia(media.body, { type: 'string' }, example.body) },
    }
  if (!body) return {}
  const content = jsonMedia(referToNamed(body as Schema, 'request'), example.body)
  return { requestBody: { required: !isBodyOptional({ body }), content } }
}

interface Described {
  id: string
  tag: string
  route: ApiRoute
}

const formerly = ({ formerAt }: ApiRoute): string | undefined =>
  formerAt && `Formerly \`${formerAt}\`, which still works; it is deprecated.`

const neededBy = ({ scope, orScope }: ApiRoute): string => {
  if (scope === 'any') return 'Needs no scope: every key may use it.'
  return `Needs the scope \`${scope}\`${orScope ? ` or \`${orScope}\`` : ''}.`
}

const alsoNeeds = ({ readScope }: ApiRoute): string =>
  readScope
    ? ` Without \`${readScope}\`, the response contains only the id, version, times and the sent fields.`
    : ''

function operationOf({ id, tag, route }: Described, responses: Record<string, Response>): OperationObject {
  const { mutating, filters, matching, conditional, searching } = factsOf(route)
  const { summary, description, scope, at, errors: own = [] } = route
  const errors = { own, mutating, named: at.includes(':'), filters: filters || searching }
  return {
    operationId: id,
    summary,
    description: [description, formerly(route), `${neededBy(route)}${alsoNeeds(route)}`]
      .filter(Boolean)
      .join('\n\n'),
    tags: [tag],
    security: [{ [SECURITY_SCHEME]: [] }],
    ...(scope !== 'any' && { 'x-required-scope': scope }),
    parameters: documentedParameters(route, { filters, mutating, matching, conditional }),
    ...bodyOf(route),
    responses: {
      ...successesOf(route, mutating),
      ...(conditional && { 304: notModified(responses) }),
      ...errorResponses(errors, responses),
    },
  }
}

const toTemplate = (path: string) => `${API_PREFIX}${path.replace(/:(\w+)/g, '{$1}')}`

const securitySchemes = {
  [SECURITY_SCHEME]: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'svc_ and 43 base64url characters',
    description: 'An API key of the organization, created with `npx rapport keys create`',
  },
}

const described: Described[] = API.flatMap(({ tag, routes }) =>
  Object.entries(routes).map(([id, route]) => ({ id, tag, route })),
)

function pathsWith(responses: Record<string, Response>): OpenApiDocument['paths'] {
  const paths: OpenApiDocument['paths'] = {}
  for (const one of described) {
    const { method, path: below } = placeOf(one.route)
    const path = toTemplate(below)
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationOf(one, responses) }
  }
  return paths
}

/** Splits the parts into those that clients send, and those that the service sends: responses and webhook requests. */
function sidesOf({ paths, ...rest }: Pick<OpenApiDocument, 'paths' | 'webhooks'>, shared: object) {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods))
  return {
    request: operations.map(({ requestBody, parameters }) => ({ requestBody, parameters })),
    response: [operations.map(({ responses }) => responses), rest, shared],
  }
}

/** @param exampleOf returns an example body for an event type */
export function apiDocument(baseUrl: string, exampleOf: EventExample): OpenApiDocument {
  const responses: Record<string, Response> = {}
  const paths = pathsWith(responses)
  const webhooks = webhooksOf(exampleOf)
  const shared = {
    responses,
    parameters: { ...HEADERS, ...WEBHOOK_HEADERS },
    headers: RESPONSE_HEADERS,
  }
  return {
    openapi: '3.1.0',
    info: {
      ...{ title: 'Rapport API', version: '1.0.0', description: descriptionOf(baseUrl) },
      contact: { name: 'The operator of this installation', url: baseUrl },
    },
    servers: [{ url: baseUrl, description: 'This installation' }],
    security: [{ [SECURITY_SCHEME]: [] }],
    tags: API.map(({ tag: name, description }) => ({ name, description })),
    paths,
    webhooks,
    components: { schemas: schemasFor(sidesOf({ paths, webhooks }, shared)), ...shared, securitySchemes },
  }
}
