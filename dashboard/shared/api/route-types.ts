// Types of the requests and responses, derived from the declarations of the contract.
import type { OrganizationRoutes, PortalRoutes, VisitorRoutes } from '../../../contract/dashboard-api.ts'
import type { AnswerOf, BodyOf, ParamsOf, QueryOf, Route } from '../../../contract/route.ts'

type Routes = VisitorRoutes & OrganizationRoutes

/** The address of a route: `GET /members`. */
export type Address = keyof Routes
export type PortalAddress = keyof PortalRoutes

type IsOptional<Value, Key extends keyof Value> = object extends Pick<Value, Key> ? true : false

/** The input type of a value: arrays may be readonly, and optional properties may be undefined. */
export type Sent<Value> = Value extends readonly (infer Item)[]
  ? readonly Sent<Item>[]
  : Value extends object
    ? { [Key in keyof Value]: Sent<Value[Key]> | (IsOptional<Value, Key> extends true ? undefined : never) }
    : Value

type Part<Name extends string, Value> = [keyof Value] extends [never]
  ? object
  : object extends Value
    ? { [Key in Name]?: Value }
    : { [Key in Name]: Value }

type BodyPart<R extends Route> = R extends { body: unknown } ? { body: Sent<BodyOf<R>> } : object

type Parts<R extends Route> = Part<'params', ParamsOf<R>> & Part<'query', Sent<QueryOf<R>>> & BodyPart<R>

type OrganizationPart<A> = A extends keyof OrganizationRoutes ? { org: string } : object

/** The parts of a request that form its address. */
export type RequestTargetOf<A extends Address> = Omit<Parts<Routes[A]>, 'body'> & OrganizationPart<A>
export type InputOf<A extends Address> = Parts<Routes[A]> & OrganizationPart<A>
export type Answer<A extends Address> = AnswerOf<Routes[A]>

export type PortalInputOf<A extends PortalAddress> = Parts<PortalRoutes[A]>
export type PortalAnswer<A extends PortalAddress> = AnswerOf<PortalRoutes[A]>

/** The last argument of a request. It is optional if all of its properties are. */
export type Last<Input> = object extends Input ? [input?: Input] : [input: Input]
