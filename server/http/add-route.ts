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
import type { App, ServiceOptions } from './request.ts'
import { showingWritten } from './written.ts'

/** A declaration, and what only the service knows about it. */
type ServedRoute = Route &
  ServiceOptions &
  Pick<RouteOptions, 'bodyLimit' | 'preValidation' | 'preHandler' | 'exposeHeadRoute'>

type RequestOf<R extends Route> = FastifyRequest<{
  Params: ParamsOf<R>
  Querystring: QueryOf<R>
  Body: BodyOf<R>
}>

type Handler<R extends Route> = (
  request: RequestOf<R>,
  reply: FastifyReply,
) => AnswerOf<R> | Promise<AnswerOf<R>>

/** Success has the status that the route declares. */
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

/** At its address, and at the one that it had before. */
export function addRoute<const R extends ServedRoute>(app: App, route: R, handler: Handler<R>): void {
  register(app, route, handler)
  if (route.formerAt !== undefined)
    register(app, { ...route, at: route.formerAt, isFormer: true }, handler as never)
}

function register<R extends ServedRoute>(app: App, route: R, handler: Handler<R>): void {
  const { params, query, body, response, bodyLimit, preValidation, preHandler, exposeHeadRoute } = route
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
    ...(exposeHeadRoute !== undefined && { exposeHeadRoute }),
    handler: withStatus(response, showingWritten(route, handler as unknown as RouteHandlerMethod)),
  })
}
