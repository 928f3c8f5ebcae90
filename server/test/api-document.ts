// Checks responses against the API document.
import type { LightMyRequestResponse as Response } from 'fastify'
import { Compile } from 'typebox/schema'
import { isObject } from '../base/json.ts'
import type { OpenApiDocument, OperationObject, Ref, Schema } from '../http/openapi/document.ts'
import { DOCUMENT_PATH } from '../http/openapi.ts'
import type { ApiRoute } from './api-routes.ts'
import { API_PREFIX } from './api-routes.ts'
import type { TestService } from './build-app.ts'

type Documented = Exclude<OperationObject['responses'][string], Ref>

/** @returns the differences between a response and the document; empty if there are none */
export type Judge = (
  route: Pick<ApiRoute, 'method' | 'path' | 'readScope'> & Partial<Pick<ApiRoute, 'media'>>,
  response: Response,
  /** Whether the key has no read scope, so that it gets a partial response. */
  isWritten?: boolean,
) => string[]

export async function readDocument({ inject }: Pick<TestService, 'inject'>): Promise<OpenApiDocument> {
  const response = await inject({ url: DOCUMENT_PATH })
  return JSON.parse(response.payload) as OpenApiDocument
}

/** Follows a reference such as #/components/responses/NotFound. */
export function resolved<Part extends object>(document: OpenApiDocument, part: Part | Ref): Part {
  if (!('$ref' in part)) return part
  const [, , kind = '', name = ''] = part.$ref.split('/')
  const target = (document.components as Record<string, Record<string, object>>)[kind]?.[name]
  if (!target) throw new Error(`${part.$ref} leads nowhere`)
  return target as Part
}

export const operationOf = (
  document: OpenApiDocument,
  { method, path }: Pick<ApiRoute, 'method' | 'path'>,
): OperationObject | undefined =>
  document.paths[`${API_PREFIX}${path.replace(/:(\w+)/g, '{$1}')}`]?.[method.toLowerCase()]

function headerFaults(document: OpenApiDocument, documented: Documented, response: Response): string[] {
  const headers = Object.entries(documented.headers ?? {})
  const missing = headers
    .filter(([, header]) => resolved<{ required?: boolean }>(document, header).required)
    .map(([name]) => name)
    .filter((name) => response.headers[name.toLowerCase()] === undefined)
  const known = new Set(headers.map(([name]) => name.toLowerCase()))
  const extra = ['etag', 'retry-after', 'www-authenticate', 'idempotent-replayed', 'allow'].filter(
    (name) => response.headers[name] !== undefined && !known.has(name),
  )
  return [
    ...missing.map((name) => `the header ${name} is documented and missing`),
    ...extra.map((name) => `the header ${name} is not documented`),
  ]
}

/** Checks bodies with their schema, which is compiled once. */
function bodyJudge(document: OpenApiDocument): (schema: Schema, body: unknown) => string[] {
  const compiled = new Map<string, ReturnType<typeof Compile>>()
  return (schema, body) => {
    const key = JSON.stringify(schema)
    const check = compiled.get(key) ?? Compile({ components: document.components, ...schema })
    compiled.set(key, check)
    if (check.Check(body)) return []
    return check.Errors(body)[1].map(({ instancePath, message }) => `${instancePath || 'body'} ${message}`)
  }
}

type Fields = Readonly<Record<string, Schema>>

function fieldsOf(document: OpenApiDocument, schema: Schema): Fields {
  const { properties = {}, anyOf = [] } = resolved<Schema>(document, schema)
  return Object.assign({}, properties, ...(anyOf as Schema[]).map((one) => fieldsOf(document, one)))
}

/** Undocumented fields of a partial response. In such a response no field is required. */
function unknownFields(document: OpenApiDocument, schema: Schema, body: unknown): string[] {
  const fields = fieldsOf(document, schema)
  if (!isObject(body) || Object.keys(fields).length === 0) return []
  return Object.entries(body).flatMap(([name, value]) => {
    const field = fields[name]
    return field ? unknownFields(document, field, value) : [`the field ${name} is not documented`]
  })
}

export function judgeBy(document: OpenApiDocument): Judge {
  const judgeBody = bodyJudge(document)
  return (route, response, isWritten = false) => {
    const found = operationOf(document, route)?.responses[String(response.statusCode)]
    if (!found) return [`the status ${response.statusCode} is not documented`]
    const documented = resolved<Documented>(document, found)
    const schema = documented.content?.['application/json']?.schema ?? {}
    if (route.media?.response !== undefined && response.statusCode < 400)
      return headerFaults(document, documented, response)
    const body: unknown = JSON.parse(response.payload)
    const isPartial = isWritten && route.readScope !== undefined && response.statusCode < 400
    return [
      ...headerFaults(document, documented, response),
      ...(isPartial ? unknownFields(document, schema, body) : judgeBody(schema, body)),
    ]
  }
}
