// Declarations of routes: path, permissions, request and response. The server, the API document and the dashboard's
// client use the same declaration.
import type { Static, TSchema } from 'typebox'
import type { ApiErrorCode } from './errors.ts'
import type { Role } from './roles.ts'
import type { Scope } from './scopes.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Requests and responses that are not JSON. */
interface RouteMedia {
  /** Content types of the body, which the handler reads as a stream. */
  body?: readonly string[]
  /** Required request headers, by name. */
  headers?: Readonly<Record<string, { description: string; schema: TSchema; example: unknown }>>
  /** Content types of the response; the response schema describes one line. */
  response?: readonly string[]
}

export interface Route {
  /** Method and path below the base path of its API; `:name` is a parameter. */
  at: `${Method} /${string}`
  /** A former path that still works, deprecated. */
  formerAt?: `${Method} /${string}`
  /** The required scope; `any`: all keys. The service does not start if an API route has no scope. */
  scope?: Scope | 'any'
  /** An alternative scope. The handler checks which of the two scopes the request requires. */
  orScope?: Scope
  /**
   * For a route that writes and returns the result: the scope to read the result. Without it, a key gets only ids,
   * versions, times and its own input.
   */
  readScope?: Scope
  /** The minimum role of a member in the dashboard, in place of the scope. */
  role?: Role
  /** Schema of path parameters; without it, a parameter accepts any text. */
  params?: TSchema
  query?: TSchema
  body?: TSchema
  /** By success status: one, or 200 and 201. Absent: the response is not JSON. */
  response?: Readonly<Record<number, TSchema>>
  media?: RouteMedia
  /** Errors in addition to the errors that method and path imply. */
  errors?: readonly ApiErrorCode[]
  /** For a POST that only reads, although its scope does not show this. */
  changesNothing?: true
  /** For a writing route: it also works on a full disk, because it frees space or ends access, and writes little. */
  worksOnFullDisk?: true
}

/** A route of the public API, with its documentation. Its key in the table is the operation id. */
export interface ApiRoute extends Route {
  scope: Scope | 'any'
  response: Readonly<Record<number, TSchema>>
  summary: string
  /** Details in addition to the summary, in Markdown. */
  description?: string
  example: { body?: unknown; response: unknown }
}

export type ApiRoutes = Readonly<Record<string, ApiRoute>>

export type DashboardRoutes = Readonly<Record<string, Route>>

/** Whether a missing body means an empty object, because no field is required. */
export function isBodyOptional({ body }: Pick<Route, 'body'>): boolean {
  const { type, required = [] } = (body ?? {}) as { type?: string; required?: readonly string[] }
  return type === 'object' && required.length === 0
}

/** Splits `GET /members` into method and path. */
export function placeOf({ at }: Pick<Route, 'at'>): { method: Method; path: string } {
  const [method, path = ''] = at.split(' ')
  return { method: method as Method, path }
}

type ParamNames<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamNames<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never

type StaticOf<Schema, Otherwise> = Schema extends TSchema ? Static<Schema> : Otherwise

export type ParamsOf<R extends Route> = R extends Route ? { [Name in ParamNames<R['at']>]: string } : never
export type QueryOf<R extends Route> = R extends { query: infer Query } ? StaticOf<Query, never> : object
export type BodyOf<R extends Route> = R extends { body: infer Body } ? StaticOf<Body, never> : undefined
export type AnswerOf<R extends Route> = R extends { response: infer Response }
  ? StaticOf<Response[keyof Response], never>
  : unknown
