// Admission where one process answers the requests: keys cached under a lease, windows in memory.
import type { Logger } from 'pino'
import { RATE_WINDOW_SECONDS } from '../../../contract/limits.ts'
import type { KeyBounds } from '../../config/rate-config.ts'
import type { Db } from '../../db/pool.ts'
import type { Admission, Admitted, AdmittedKey } from '../../http/admission.ts'
import { networkOf } from '../../http/client-network.ts'
import { RateWindows } from '../../http/rate-windows.ts'
import { digestKey, isKeyShaped } from './key.ts'
import { KeyCache } from './key-cache.ts'
import type { KeyPlaces } from './key-places.ts'
import { KeyRates } from './key-rates.ts'
import { LastUsed } from './last-used.ts'
import { LEASE_MS } from './lease.ts'
import type { KeyLeases } from './service.ts'

const REFRESH_MS = 400
const IDLE_MS = 10_000
const KEYS_MAX = 1_000_000
const ADDRESSES_MAX = 100_000

interface MemoryAdmissionOptions {
  db: Db
  log: Logger
  clock: { now(): Date }
  requestsPerMinute: number
  bounds: KeyBounds
  /** Whether writing to the database is allowed; undefined: always. */
  mayWrite?: (() => boolean) | undefined
  windowMs?: number
  leaseMs?: number
  refreshMs?: number
  idleMs?: number
  monotonic?: () => number
  /** undefined: there are no cells. */
  places?: KeyPlaces | undefined
}

export class MemoryAdmission implements Admission, KeyLeases {
  readonly leaseMs: number
  readonly #clock: { now(): Date }
  readonly #requestsPerMinute: number
  readonly #rates: KeyRates
  readonly #keys: KeyCache
  readonly #places: KeyPlaces | undefined
  readonly #lastUsed: LastUsed
  // Separate, so that a flood of made-up addresses cannot push out a key's window.
  readonly #byKey: RateWindows
  readonly #byAddress: RateWindows

  constructor({ db, log, clock, requestsPerMinute, bounds, mayWrite, ...options }: MemoryAdmissionOptions) {
    const { windowMs = RATE_WINDOW_SECONDS * 1000, leaseMs = LEASE_MS } = options
    const { refreshMs = REFRESH_MS, idleMs = IDLE_MS } = options
    const { monotonic = () => performance.now(), places } = options
    this.leaseMs = leaseMs
    this.#clock = clock
    this.#requestsPerMinute = requestsPerMinute
    this.#rates = new KeyRates({ usual: requestsPerMinute, bounds, windowMs })
    this.#keys = new KeyCache({ db, log, leaseMs, refreshMs, idleMs, monotonic, places })
    this.#places = places
    this.#lastUsed = new LastUsed(db, log, { ...(mayWrite && { mayWrite }) })
    this.#byKey = new RateWindows(windowMs, KEYS_MAX)
    this.#byAddress = new RateWindows(windowMs, ADDRESSES_MAX)
  }

  admit(token: string | undefined, address: string): Admitted | Promise<Admitted> {
    if (token === undefined) return this.#refuse('missing', address)
    if (!isKeyShaped(token)) return this.#refuse('unknown', address)
    const digest = digestKey(token)
    const key = this.#keys.find(digest)
    if (key) return this.#accept(key, address)
    return this.#keys
      .load(digest)
      .then((found) => (found ? this.#accept(found, address) : this.#refuse('unknown', address)))
  }

  forget(keyId: string): void {
    this.#keys.forget(keyId)
  }

  async close(): Promise<void> {
    this.#keys.close()
    await this.#places?.close()
    await this.#lastUsed.close()
  }

  #accept(key: AdmittedKey, address: string): Admitted {
    const nowMs = this.#clock.now().getTime()
    if (key.expiresAtMs !== null && key.expiresAtMs <= nowMs) return this.#refuse('expired', address)
    this.#lastUsed.mark(key, nowMs)
    const window = this.#byKey.count(key.keyId, this.#rates.limitOf(key), nowMs)
    return this.#rates.admit(key, window, nowMs)
  }

  #refuse(refused: 'missing' | 'unknown' | 'expired', address: string): Admitted {
    const nowMs = this.#clock.now().getTime()
    return {
      key: undefined,
      refused,
      window: this.#byAddress.count(networkOf(address), this.#requestsPerMinute, nowMs),
    }
  }
}
