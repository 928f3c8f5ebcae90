// The routes of the API, for tests that are generated from them.
import type { RouteOptions } from 'fastify'
import type { ErrorCode } from '../../contract/errors.ts'
import type { Route } from '../../contract/route.ts'
import type { Scope } from '../../contract/scopes.ts'

export const API_PREFIX = '/api/v1'

export interface ApiRoute {
  /** `GET /objects/:objectId`, as in the specification. */
  key: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Without the prefix. */
  path: string
  scope: Scope | 'any'
  /** A second scope that permits the route. */
  orScope: Scope | undefined
  readScope: Scope | undefined
  errors: readonly ErrorCode[]
  /** The first status of success that it declares. */
  success: number
  hasBody: boolean
  isBodyOptional: boolean
  body: object | undefined
  /** Names of query parameters, except filters. */
  query: readonly string[]
  bodyLimit: number | undefined
  /** Content types of bodies and responses that are not JSON. */
  media: Route['media']
}

const isWithoutRequired = (body: unknown) => {
  const { type, required = [] } = (body ?? {}) as { type?: string; required?: string[] }
  return type === 'object' && required.length === 0
}

function toApiRoute(
  { method, url, config, schema, bodyLimit }: RouteOptions,
  scope: ApiRoute['scope'],
): ApiRoute {
  const path = url.slice(API_PREFIX.length)
  const querystring = schema?.querystring as { properties?: object } | undefined
  return {
    key: `${method} ${path}`,
    method: method as ApiRoute['method'],
    path,
    scope,
    orScope: config?.orScope,
    readScope: config?.readScope,
    errors: config?.errors ?? [],
    success: Number(Object.keys(schema?.response ?? {})[0]),
    query: Object.keys(querystring?.properties ?? {}),
    hasBody: schema?.body !== undefined,
    isBodyOptional: isWithoutRequired(schema?.body),
    body: schema?.body as object | undefined,
    bodyLimit,
    media: config?.media,
  }
}

/** Whether a key without its scope is refused. */
export const needsScope = (route: ApiRoute): route is ApiRoute & { scope: Scope } => route.scope !== 'any'

/** Routes of the API, without HEAD routes and former paths. */
export const apiRoutes = (routes: readonly RouteOptions[]): ApiRoute[] =>
  routes.flatMap((route) => {
    const scope = route.config?.scope
    const isOfApi = route.url.startsWith(API_PREFIX) && route.method !== 'HEAD' && !route.config?.isFormer
    return scope === undefined || !isOfApi ? [] : [toApiRoute(route, scope)]
  })
