// The rate of a key, at most the operator's, and the rate of all keys of an organization together. Each process counts
// the latter for itself: one row of the database for all requests of an organization would make them wait for each other.
import { RATE_WINDOW_SECONDS } from '../../../contract/limits.ts'
import type { KeyBounds } from '../../config/rate-config.ts'
import type { Admitted, AdmittedKey, RateWindow } from '../../http/admission.ts'
import { RateWindows } from '../../http/rate-windows.ts'

const ORGANIZATIONS_MAX = 1_000_000

interface Rates {
  /** The rate of a key without its own rate. */
  usual: number
  bounds: KeyBounds
  windowMs?: number
}

/** Requests per window that the key may make. */
export const rateOf = (
  { rateLimit }: Pick<AdmittedKey, 'rateLimit'>,
  { usual, bounds }: Omit<Rates, 'windowMs'>,
): number => (rateLimit === null ? usual : Math.min(rateLimit, bounds.rate))

export class KeyRates {
  readonly #usual: number
  readonly #bounds: KeyBounds
  readonly #ofOrganizations: RateWindows

  constructor({ usual, bounds, windowMs = RATE_WINDOW_SECONDS * 1000 }: Rates) {
    this.#usual = usual
    this.#bounds = bounds
    this.#ofOrganizations = new RateWindows(windowMs, ORGANIZATIONS_MAX)
  }

  limitOf(key: AdmittedKey): number {
    return rateOf(key, { usual: this.#usual, bounds: this.#bounds })
  }

  /** @param window of the key, with this request counted; if exceeded, the organization's window does not count it */
  admit(key: AdmittedKey, window: RateWindow, nowMs: number): Admitted {
    if (window.exceeded) return { key, refused: undefined, window }
    const ofAll = this.#ofOrganizations.count(key.orgId, this.#bounds.organizationRate, nowMs)
    if (ofAll.exceeded) return { key, refused: undefined, window: ofAll, exceededBy: 'organization' }
    return { key, refused: undefined, window: ofAll.remaining < window.remaining ? ofAll : window }
  }
}
