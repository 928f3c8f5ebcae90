// What is checked before every request: whose key it carries, and how much of its rate is left.
import type { Scope } from '../../contract/scopes.ts'

export interface AdmittedKey {
  /** Internal number of the organization. */
  org: number
  orgId: string
  /** Where its data is. */
  cell: number
  /** The key's creator. */
  userId: string
  keyId: string
  /** null: full access */
  scopes: ReadonlySet<Scope> | null
  country: string
  currency: string
  expiresAtMs: number | null
  /** Requests per window; null: the installation's limit */
  rateLimit: number | null
}

export interface RateWindow {
  limit: number
  remaining: number
  /** Unix seconds */
  resetAt: number
  /** Seconds until the window ends; at least 1 when exceeded. */
  retryAfter: number
  exceeded: boolean
}

/** With `refused`, `key` is undefined and the request counted against its client address. */
export interface Admitted {
  key: AdmittedKey | undefined
  refused: 'missing' | 'unknown' | 'expired' | undefined
  window: RateWindow
  /** Whose window it is, if not the key's or the address's. */
  exceededBy?: 'organization'
}

export interface Admission {
  /**
   * Checks the key of one request and counts the request. Answers synchronously where it can, since this is on the
   * way of every request.
   * @throws what the database says when it cannot be asked: never a refusal
   */
  admit(token: string | undefined, address: string): Promise<Admitted> | Admitted
  /** Writes what is still to be written; call it after the last request. */
  close(): Promise<void>
}
