// Who asks for something, and in whose name it is done.

/** Who made a change, for its event; no one when the service cleans up in the background. */
export interface Author {
  org: number
  userId: string | null
  keyId: string | null
  /** The workflow run whose step it is. */
  run?: string | undefined
  /** By record, the event whose values the change restores. */
  restores?: Readonly<Record<string, string>>
  /** The change set that it is part of. */
  changeSet?: string
  /** The change starts no workflow and notifies no member: records return, or the model of their object changes. */
  isQuiet?: true
}

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
  /** The user, if they are signed in: what the operand `me` of filters means. */
  me?: string | undefined
}
