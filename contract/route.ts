// What a route declares: its address, who may use it, what it takes and answers. The server, the API document and the
// dashboard's client read the same declaration.
import type { Static, TSchema } from 'typebox'
import type { ApiErrorCode } from './errors.ts'
import type { Role } from './roles.ts'
import type { Scope } from './scopes.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** What a route takes or answers that is not JSON. */
interface RouteMedia {
  /** Content types of the body, which the handler reads as it comes. */
  body?: readonly string[]
  /** Headers that the request needs, by name. */
  headers?: Readonly<Record<string, { description: string; schema: TSchema; example: unknown }>>
  /** Content types of the answer; the schema of the response describes a line of it. */
  response?: readonly string[]
}

export interface Route {
  /** Method and path below the address of its API; `:name` is a parameter. */
  at: `${Method} /${string}`
  /** An address that it had before, and that works as well: deprecated. */
  formerAt?: `${Method} /${string}`
  /** The scope it needs; `any`: every key may use it. A route of the API without one does not boot. */
  scope?: Scope | 'any'
  /** Another scope that opens it too: its handler checks which of both the request needs. */
  orScope?: Scope
  /**
   * Of a route that writes and answers what it wrote: the scope that reads it. A key without it gets ids, versions and
   * times, and what it sent.
   */
  readScope?: Scope
  /** The least role of a member that may use it in the dashboard, in place of the scope. */
  role?: Role
  /** Only of parameters that have their own schema: the others take any text. */
  params?: TSchema
  query?: TSchema
  body?: TSchema
  /** By the status of success: one, or 200 and 201. None: it answers something other than JSON. */
  response?: Readonly<Record<number, TSchema>>
  media?: RouteMedia
  /** Errors in addition to those that its method and path imply. */
  errors?: readonly ApiErrorCode[]
  /** Of a GET whose ETag changes with all that its answer says: If-None-Match leaves out what has not changed. */
  isConditional?: true
  /** Of a POST whose scope does not say so: it changes nothing. */
  changesNothing?: true
  /** Of a route that writes: it works on a full disk too, since it frees space or ends access, and writes little. */
  worksOnFullDisk?: true
}

/** A route of the public API, with its part of the API document. Its name in the table is its operation id. */
export interface ApiRoute extends Route {
  scope: Scope | 'any'
  response: Readonly<Record<number, TSchema>>
  summary: string
  /** What the summary leaves open; Markdown. */
  description?: string
  example: { body?: unknown; response: unknown }
}

export type ApiRoutes = Readonly<Record<string, ApiRoute>>

/** Routes that only the dashboard has. */
export type DashboardRoutes = Readonly<Record<string, Route>>

/** Whether no body means an empty object: where no field is required. */
export function isBodyOptional({ body }: Pick<Route, 'body'>): boolean {
  const { type, required = [] } = (body ?? {}) as { type?: string; required?: readonly string[] }
  return type === 'object' && required.length === 0
}

/** The two parts of `GET /members`. */
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
