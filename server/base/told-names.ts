// Which names of attributes and objects messages tell: those that their caller may read by other requests.
import type { Scope } from '../../contract/scopes.ts'
import { type Caller, mayRead } from './caller.ts'

/** Who asks. Without scopes: a signed-in user, whose role has been checked. */
export type Asking = Pick<Caller, 'scopes'>

/** Answers to any of these scopes have the names. */
const NAMED_BY = {
  attributes: ['records:read', 'attributes:read', 'objects:read'],
  objects: ['objects:read'],
} as const satisfies Record<string, readonly Scope[]>
type Named = keyof typeof NAMED_BY

export const mayBeTold = (asking: Asking, named: Named): boolean =>
  NAMED_BY[named].some((scope) => mayRead(asking, scope))

export interface ToldNames {
  /** undefined: they are not told */
  readonly names: readonly string[] | undefined
}

/** Names that everyone may know, or that the message is for the operator. */
export const allNames = (names: Iterable<string>): ToldNames => ({ names: [...names] })

/** @param asking undefined: it is not known who asks */
export const toldNames = (asking: Asking | undefined, named: Named, names: Iterable<string>): ToldNames =>
  asking && mayBeTold(asking, named) ? allNames(names) : { names: undefined }
