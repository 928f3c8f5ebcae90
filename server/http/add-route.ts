// Registers a route that the contract declares: its schemas check the request and type the handler.
import type {
  FastifyReply,
  FastifyRequest,
  preValidationAsyncHookHandler,
  RouteHandlerMethod,
  RouteOptions,
} from 'fastify'
import {
  type AnswerOf,
  type BodyOf,
  isBodyOptional,
  type ParamsOf,
  placeOf,
  type QueryOf,
  type Route,
} from '../../contract/route.ts'
import { mayRead } from '../base/caller.ts'
import { isObject, parseJson } from '../base/json.ts'
import type { App, ServiceOptions } from './request.ts'
import { sendJson } from './send-json.ts'

/** A declaration, with options that only the service uses. */
type ServedRoute = Route &
  ServiceOptions &
  Pick<RouteOptions, 'bodyLimit' | 'preValidation' | 'preHandler' | 'onSend' | 'exposeHeadRoute'>

type RequestOf<R extends Route> = FastifyRequest<{
  Params: ParamsOf<R>
  Querystring: QueryOf<R>
  Body: BodyOf<R>
}>

type Handler<R extends Route> = (
  request: RequestOf<R>,
  reply: FastifyReply,
) => AnswerOf<R> | Promise<AnswerOf<R>>

interface Shape {
  properties?: Readonly<Record<string, Shape>>
  anyOf?: readonly Shape[]
}

type Fields = Readonly<Record<string, unknown>>

/** Fields that any key may see, because they are not values of records. */
const KEPT: ReadonlySet<string> = new Set([
  ...['id', 'objectId', 'recordId', 'version', 'createdAt', 'updatedAt', 'editedAt', 'deleted'],
  // Counts of restored values or records, in the response for a restored attribute or object.
  ...['values', 'records'],
])

function fieldsOf({ properties, anyOf = [] }: Shape): Readonly<Record<string, Shape>> {
  return properties ?? anyOf.map(fieldsOf).find((fields) => Object.keys(fields).length > 0) ?? {}
}

/** @param shape the schema of the response: fields that are not in it are left out */
function writtenOf(shape: Shape, answer: Fields, sent: Fields): Fields {
  const written: Record<string, unknown> = {}
  for (const [name, inner] of Object.entries(fieldsOf(shape))) {
    const value = answer[name]
    if (value === undefined) continue
    if (KEPT.has(name)) written[name] = value
    else if (Object.hasOwn(sent, name)) written[name] = sent[name]
    else if (isObject(value)) {
      const ids = writtenOf(inner, value, {})
      if (Object.keys(ids).length > 0) written[name] = ids
    }
  }
  return written
}

/**
 * A key without the read scope gets only ids, versions, times and counts, and the fields of its request, as it sent
 * them: it may not see other fields, or how its fields are stored. This wraps the handler, because the stored
 * response of an Idempotency-Key is the unfiltered result of the handler.
 */
function showingWritten(
  { readScope, response = {} }: Pick<Route, 'readScope' | 'response'>,
  handler: RouteHandlerMethod,
): RouteHandlerMethod {
  const [shape] = Object.values(response)
  if (readScope === undefined || !shape) return handler
  return async function (request, reply) {
    const sentAnswer: unknown = await handler.call(this, request, reply)
    if (mayRead(request.caller, readScope)) return sentAnswer
    const answer = typeof sentAnswer === 'string' ? parseJson(sentAnswer) : sentAnswer
    if (!isObject(answer)) return sentAnswer
    const sent = isObject(request.body) ? request.body : {}
    return sendJson(reply, JSON.stringify(writtenOf(shape as Shape, answer, sent)))
  }
}

/** A successful response has the first status that the route declares, unless the handler sets another one. */
function withStatus(response: Route['response'], handler: RouteHandlerMethod): RouteHandlerMethod {
  const [status = 200] = Object.keys(response ?? {}).map(Number)
  if (status === 200) return handler
  return function (request, reply) {
    reply.code(status)
    return handler.call(this, request, reply)
  }
}

const readNoBodyAsEmpty: preValidationAsyncHookHandler = async (request) => {
  if (request.body === undefined) request.body = {}
}

/** Registers the route at its path, and at its former path if it has one. */
export function addRoute<const R extends ServedRoute>(app: App, route: R, handler: Handler<R>): void {
  register(app, route, handler)
  if (route.formerAt !== undefined)
    register(app, { ...route, at: route.formerAt, isFormer: true }, handler as never)
}

function register<R extends ServedRoute>(app: App, route: R, handler: Handler<R>): void {
  const { params, query, body, response, bodyLimit, preValidation, preHandler, onSend, exposeHeadRoute } =
    route
  const { method, path } = placeOf(route)
  app.route({
    method,
    url: path,
    config: route,
    schema: {
      ...(params && { params }),
      ...(query && { querystring: query }),
      ...(body && { body }),
      ...(response && { response }),
    },
    ...(bodyLimit !== undefined && { bodyLimit }),
    preValidation: [...(isBodyOptional(route) ? [readNoBodyAsEmpty] : []), ...[preValidation ?? []].flat()],
    ...(preHandler && { preHandler }),
    ...(onSend && { onSend }),
    ...(exposeHeadRoute !== undefined && { exposeHeadRoute }),
    handler: withStatus(response, showingWritten(route, handler as unknown as RouteHandlerMethod)),
  })
}
