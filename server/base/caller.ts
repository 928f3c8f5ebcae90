// The caller of a request, and the author of a change.
import type { ActingUser } from '../../contract/members.ts'
import type { Scope } from '../../contract/scopes.ts'

/** The author of a change, for its event. All ids are null if the service cleans up in the background. */
export interface Author {
  org: number
  userId: string | null
  keyId: string | null
  /** The workflow run whose step made the change. */
  run?: string | undefined
  workflow?: string | undefined
  /** By record id: the event whose values the change restores. */
  restores?: Readonly<Record<string, string>>
  changeSet?: string
  /** The change starts no workflow and notifies no member: it restores records, or changes the object's model. */
  isQuiet?: true
}

/** Whether the change is listed among those that can be undone: of a program, or in a change set. */
export const isUndoneAsOne = ({ keyId, run, changeSet }: Author): boolean =>
  keyId !== null || run !== undefined || changeSet !== undefined

/** The id of the actor of a change: a workflow, else an API key, else a user; null for the service itself. */
export const actorId = ({ workflow, keyId, userId }: Pick<Author, 'workflow' | 'keyId' | 'userId'>) =>
  workflow ?? keyId ?? userId ?? null

/** The caller of a request: an API key or a signed-in user of one organization. */
export interface Caller extends Author {
  /** Internal number of the organization, on every row of its data. */
  org: number
  orgId: string
  /** The user on whose behalf the request runs: the creator of the key, or the signed-in user. */
  userId: string
  keyId: string | null
  country: string
  currency: string
  /** The scopes of the key; null: all. Undefined for signed-in users and workflow runs, which are checked by role. */
  scopes?: ReadonlySet<Scope> | null | undefined
  /** The signed-in user: the value of the operand `me` in filters. */
  me?: string | undefined
}

/** For responses whose content depends on what the caller may read. */
export const mayRead = ({ scopes }: Pick<Caller, 'scopes'>, scope: Scope): boolean =>
  !scopes || scopes.has(scope)

/** Names and emails are only for callers that may read members. */
export const shownUser = (caller: Pick<Caller, 'scopes'>, user: ActingUser | null): ActingUser | null =>
  user === null || mayRead(caller, 'members:read') ? user : { id: user.id }
