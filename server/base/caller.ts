// Who asks for something, and in whose name it is done.
import type { ActingUser } from '../../contract/members.ts'
import type { Scope } from '../../contract/scopes.ts'

/** Who made a change, for its event; no one when the service cleans up in the background. */
export interface Author {
  org: number
  userId: string | null
  keyId: string | null
  /** The workflow run whose step it is. */
  run?: string | undefined
  /** The workflow of the run. */
  workflow?: string | undefined
  /** By record, the event whose values the change restores. */
  restores?: Readonly<Record<string, string>>
  /** The change set that it is part of. */
  changeSet?: string
  /** The change starts no workflow and notifies no member: records return, or the model of their object changes. */
  isQuiet?: true
}

/** Whom a change is by: a workflow, else an API key, else a user; null for the service itself. */
export const actorId = ({ workflow, keyId, userId }: Pick<Author, 'workflow' | 'keyId' | 'userId'>) =>
  workflow ?? keyId ?? userId ?? null

/** Who makes the request: a key, or a signed-in user, of one organization. */
export interface Caller extends Author {
  /** Internal number of the organization, on every row of its data. */
  org: number
  orgId: string
  /** The user in whose name it happens: the key's creator, or who is signed in. */
  userId: string
  keyId: string | null
  country: string
  currency: string
  /** Of the key; null: all of them. Sessions and runs have none here: what they may do was checked by the role. */
  scopes?: ReadonlySet<Scope> | null | undefined
  /** The user, if they are signed in: what the operand `me` of filters means. */
  me?: string | undefined
}

/** For answers that show more or less of something by what the caller may read. */
export const mayRead = ({ scopes }: Pick<Caller, 'scopes'>, scope: Scope): boolean =>
  !scopes || scopes.has(scope)

/** Names and emails are for those who may read members. */
export const shownUser = (caller: Pick<Caller, 'scopes'>, user: ActingUser | null): ActingUser | null =>
  user === null || mayRead(caller, 'members:read') ? user : { id: user.id }
