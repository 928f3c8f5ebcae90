// Types of the check before every request: its API key, and the rest of its rate limit.
import type { Scope } from '../../contract/scopes.ts'

export interface AdmittedKey {
  /** Internal number of the organization. */
  org: number
  orgId: string
  /** The cell of the organization's data. */
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
  /** Set if the window is that of the organization, not of the key or the address. */
  exceededBy?: 'organization'
}

export interface Admission {
  /**
   * Checks the key of one request and counts the request. Returns synchronously if possible, since every request passes
   * through this.
   * @throws errors of the database; a refusal is returned, not thrown
   */
  admit(token: string | undefined, address: string): Promise<Admitted> | Admitted
  /** Writes pending data; call it after the last request. */
  close(): Promise<void>
}
