// Finds changes of the API that break earlier callers: all changes except additions. Pure.
//
// The rules for requests may only become less strict, and answers may only gain content. Descriptions and examples may
// change.
import type {
  Media,
  OpenApiDocument,
  OperationObject,
  Parameter,
  Ref,
  Response,
} from '../../http/openapi/document.ts'
import { resolved } from '../api-document.ts'
import { type Documents, schemaLosses } from './schemas.ts'

/** The content of a request or an answer, by media type. */
type Content = Readonly<Record<string, Media>>

function contentLosses(
  documents: Documents,
  side: 'request' | 'response',
  { before, now = {}, at }: { before: Content; now: Content | undefined; at: string },
): string[] {
  return Object.entries(before).flatMap(([type, media]) => {
    const next = now[type]
    if (!next) return [`${at}: ${type} is missing`]
    return schemaLosses(documents, side, { before: media.schema, now: next.schema, at })
  })
}

const parametersOf = (document: OpenApiDocument, { parameters = [] }: OperationObject): Parameter[] =>
  parameters.map((one) => resolved<Parameter>(document, one))

const nameOf = (parameter: Parameter) => `${parameter.in} ${parameter.name}`

function parameterLosses(
  documents: Documents,
  { before, now, at }: { before: OperationObject; now: OperationObject; at: string },
): string[] {
  const earlier = parametersOf(documents.before, before)
  const present = new Map(parametersOf(documents.now, now).map((one) => [nameOf(one), one]))
  const known = new Set(earlier.map(nameOf))
  const changed = earlier.flatMap((parameter) => {
    const next = present.get(nameOf(parameter))
    const here = `${at}, ${nameOf(parameter)}`
    if (!next) return [`${here}: is missing`]
    const required = next.required && !parameter.required ? [`${here}: is required now`] : []
    return [
      ...required,
      ...schemaLosses(documents, 'request', { before: parameter.schema, now: next.schema, at: here }),
    ]
  })
  const added = [...present.values()].filter((one) => one.required && !known.has(nameOf(one)))
  return [...changed, ...added.map((one) => `${at}, ${nameOf(one)}: is new and required`)]
}

function bodyLosses(
  documents: Documents,
  { before, now, at }: { before: OperationObject; now: OperationObject; at: string },
): string[] {
  const [earlier, present] = [before.requestBody, now.requestBody]
  const here = `${at}, body`
  if (!earlier) return present?.required ? [`${here}: is new and required`] : []
  return [
    ...(present?.required && !earlier.required ? [`${here}: is required now`] : []),
    ...contentLosses(documents, 'request', { before: earlier.content, now: present?.content, at: here }),
  ]
}

function responseLosses(
  documents: Documents,
  { before, now, at }: { before: Response | Ref; now: Response | Ref | undefined; at: string },
): string[] {
  if (!now) return [`${at}: is missing`]
  const [earlier, present] = [
    resolved<Response>(documents.before, before),
    resolved<Response>(documents.now, now),
  ]
  const headers = Object.keys(earlier.headers ?? {}).filter((name) => !present.headers?.[name])
  return [
    ...headers.map((name) => `${at}: the header ${name} is missing`),
    ...contentLosses(documents, 'response', { before: earlier.content ?? {}, now: present.content, at }),
  ]
}

function operationLosses(
  documents: Documents,
  { before, now, at }: { before: OperationObject; now: OperationObject | undefined; at: string },
): string[] {
  if (!now) return [`${at}: is missing`]
  const facts = (['operationId', 'x-required-scope'] as const).filter((fact) => before[fact] !== now[fact])
  return [
    ...facts.map((fact) => `${at}: ${fact} was ${before[fact]} and is ${now[fact]}`),
    ...parameterLosses(documents, { before, now, at }),
    ...bodyLosses(documents, { before, now, at }),
    ...Object.entries(before.responses).flatMap(([status, response]) =>
      responseLosses(documents, { before: response, now: now.responses[status], at: `${at}, ${status}` }),
    ),
  ]
}

type Operations = OpenApiDocument['paths']

const operationsOf = (paths: Operations): [string, OperationObject][] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, OperationObject] => [
      `${method.toUpperCase()} ${path}`,
      operation,
    ]),
  )

/** Losses in the bodies that the service sends to receivers. */
function webhookLosses(documents: Documents): string[] {
  const now = new Map(operationsOf(documents.now.webhooks))
  return operationsOf(documents.before.webhooks).flatMap(([key, { requestBody }]) => {
    const at = `webhook ${key.replace('POST ', '')}`
    const next = now.get(key)?.requestBody
    if (!next) return [`${at}: is missing`]
    return contentLosses(documents, 'response', { before: requestBody?.content ?? {}, now: next.content, at })
  })
}

/** One line for each change that is not an addition, with its place. */
export function lossesOf(before: OpenApiDocument, now: OpenApiDocument): string[] {
  const documents = { before, now }
  const present = new Map(operationsOf(now.paths))
  const losses = operationsOf(before.paths).flatMap(([at, operation]) =>
    operationLosses(documents, { before: operation, now: present.get(at), at }),
  )
  return [...new Set([...losses, ...webhookLosses(documents)])]
}

/** New operations, in the form `GET /api/v1/organization`. */
export function additionsTo(before: OpenApiDocument, now: OpenApiDocument): string[] {
  const known = new Set(operationsOf(before.paths).map(([at]) => at))
  return operationsOf(now.paths)
    .map(([at]) => at)
    .filter((at) => !known.has(at))
}
