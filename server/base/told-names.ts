// Messages may contain only those names of attributes and objects that the caller can also read by other requests.
import type { Scope } from '../../contract/scopes.ts'
import { type Caller, mayRead } from './caller.ts'

/** The caller. Without scopes it is a signed-in user, whose role has been checked. */
export type Asking = Pick<Caller, 'scopes'>

/** With any of these scopes, a caller can read the names. */
const NAMED_BY = {
  attributes: ['records:read', 'attributes:read', 'objects:read'],
  objects: ['objects:read'],
} as const satisfies Record<string, readonly Scope[]>
type Named = keyof typeof NAMED_BY

export const mayBeTold = (asking: Asking, named: Named): boolean =>
  NAMED_BY[named].some((scope) => mayRead(asking, scope))

export interface ToldNames {
  /** undefined if the caller may not read them */
  readonly names: readonly string[] | undefined
}

/** Names that all callers may read, or names for a message to the operator. */
export const allNames = (names: Iterable<string>): ToldNames => ({ names: [...names] })

/** @param asking undefined if the caller is unknown */
export const toldNames = (asking: Asking | undefined, named: Named, names: Iterable<string>): ToldNames =>
  asking && mayBeTold(asking, named) ? allNames(names) : { names: undefined }
