// All examples as calls of a typed client: those of the guides as they were sent, and those of the API document as they
// are written.

import type {
  Media,
  OpenApiDocument,
  OperationObject,
  Parameter,
  Response,
  Schema,
} from '../../http/openapi/document.ts'
import { resolved } from '../api-document.ts'
import type { Exchange } from '../guides/exchanges.ts'

export interface Example {
  /** The place of the example, for messages. */
  title: string
  operationId: string
  /** `/api/v1/objects/{objectId}/records` */
  template: string
  method: string
  path: Record<string, string>
  query?: unknown
  body?: unknown
  status: string
  answer: unknown
}

type Operation = Pick<Example, 'template' | 'method'> & { operation: OperationObject }

const operationsOf = ({ paths }: OpenApiDocument): Operation[] =>
  Object.entries(paths).flatMap(([template, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ template, method, operation })),
  )

const jsonOf = (content: Record<string, Media> | undefined): unknown => content?.['application/json']?.example

const isJson = (content: Record<string, Media> | undefined) =>
  content === undefined || 'application/json' in content

/** Operations with files, for which clients differ. */
function isFile({ requestBody, responses }: OperationObject): boolean {
  const success = responses['200']
  const answer = success && 'content' in success ? success.content : undefined
  return !isJson(requestBody?.content) || !isJson(answer)
}

/** @returns the parameters in the path; undefined: the path does not match */
function match(template: string, pathname: string): Record<string, string> | undefined {
  const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const found = new RegExp(`^${template.replaceAll(/\{\w+\}/g, '([^/]+)')}$`).exec(pathname)
  return found ? Object.fromEntries(names.map((name, index) => [name, found[index + 1] ?? ''])) : undefined
}

function readParameter({ schema }: Parameter, text: string): unknown {
  if (schema['type'] === 'integer') return Number(text)
  return schema['type'] === 'boolean' ? text === 'true' : text
}

/** `filter[a][b]=c` → { filter: { a: { b: 'c' } } } */
function queryOf(search: URLSearchParams, parameters: readonly Parameter[]): unknown {
  const query: Record<string, unknown> = {}
  for (const [name, text] of search) {
    const [, outer = '', slug = '', operator = ''] = /^(\w+)\[(\w+)\]\[(\w+)\]$/.exec(name) ?? []
    const parameter = parameters.find((one) => one.name === (outer || name))
    if (!parameter) throw new Error(`The API document has no parameter ${name}`)
    if (outer === '') query[name] = readParameter(parameter, text)
    else query[outer] = { ...(query[outer] as object), [slug]: { [operator]: text } }
  }
  return query
}

function parametersOf(document: OpenApiDocument, { parameters = [] }: OperationObject): Parameter[] {
  return parameters.map((one) => resolved<Parameter>(document, one))
}

/** The call for an example of a guide; undefined if it is not a typed call, such as the upload of a file. */
export function exampleOf(
  document: OpenApiDocument,
  { block, request, status, body: answer }: Exchange,
): Example | undefined {
  const { pathname, searchParams } = new URL(request.url)
  // Paths with fewer parameters first: /records/search is not a record.
  const candidates = operationsOf(document)
    .filter(({ method, operation }) => method === request.method.toLowerCase() && !isFile(operation))
    .toSorted((a, b) => a.template.split('{').length - b.template.split('{').length)
  for (const { template, method, operation } of candidates) {
    const path = match(template, pathname)
    if (!path) continue
    return {
      title: `${block.guide}.md:${block.line}`,
      operationId: operation.operationId ?? '',
      ...{ template, method, path, answer, status: String(status) },
      ...(searchParams.size > 0 && { query: queryOf(searchParams, parametersOf(document, operation)) }),
      ...(request.body !== undefined && { body: JSON.parse(request.body) as unknown }),
    }
  }
  return undefined
}

/** Values for required query parameters, which have no examples. */
function requiredQuery(document: OpenApiDocument, operation: OperationObject): unknown {
  const required = parametersOf(document, operation).filter((one) => one.in === 'query' && one.required)
  const exampleValue = ({ schema }: Parameter): unknown => {
    const { enum: values } = resolved<Schema>(document, schema)
    return Array.isArray(values) ? values[0] : 'ada'
  }
  return required.length > 0
    ? Object.fromEntries(required.map((one) => [one.name, exampleValue(one)]))
    : undefined
}

const documentedCalls = (document: OpenApiDocument) =>
  operationsOf(document).filter(({ operation }) => !isFile(operation))

/** The example of each operation, except those of files. */
export const documentedExamples = (document: OpenApiDocument): Example[] =>
  documentedCalls(document).map(({ template, method, operation }) => {
    const [status = '', response] =
      Object.entries(operation.responses).find(([code]) => code.startsWith('2')) ?? []
    const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
    const body = jsonOf(operation.requestBody?.content)
    const query = requiredQuery(document, operation)
    return {
      title: `example of ${operation.operationId}`,
      operationId: operation.operationId ?? '',
      path: Object.fromEntries(names.map((name) => [name, 'people'])),
      ...{ template, method, status },
      ...(query !== undefined && { query }),
      ...(body !== undefined && { body }),
      answer: jsonOf((response as Response).content),
    }
  })
