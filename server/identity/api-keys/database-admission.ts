// Admission where several processes answer the requests: one statement per request, with the database's clock. With
// cells, the statement goes to the cell of the key, once the directory has named the cell.
import { hash as digestOf } from 'node:crypto'
import type { Logger } from 'pino'
import { RATE_WINDOW_SECONDS } from '../../../contract/limits.ts'
import type { KeyBounds } from '../../config/rate-config.ts'
import type { Db } from '../../db/pool.ts'
import { isDiskFull } from '../../db/unavailable.ts'
import type { Admission, Admitted, AdmittedKey, RateWindow } from '../../http/admission.ts'
import { networkOf } from '../../http/client-network.ts'
import { hashKey, isKeyShaped } from './key.ts'
import type { KeyLocation, KeyPlaces } from './key-places.ts'
import { KeyRates } from './key-rates.ts'
import { LastUsed } from './last-used.ts'
import { LEASE_MS } from './lease.ts'
import type { KeyLeases } from './service.ts'
import { type CountedRow, countInCell, countKeyRequest, deleteEndedWindows } from './store.ts'

const SWEEP_EVERY_MS = 60_000

/** On a full disk the table of windows may not be able to grow. Requests are then admitted without being counted. */
async function countIfPossible<Row>(count: (how: { counts: boolean }) => Promise<Row>): Promise<Row> {
  try {
    return await count({ counts: true })
  } catch (error) {
    if (!isDiskFull(error)) throw error
    return count({ counts: false })
  }
}

interface DatabaseAdmissionOptions {
  db: Db
  log: Logger
  clock: { now(): Date }
  requestsPerMinute: number
  bounds: KeyBounds
  /** Whether writing to the database is allowed; undefined: always. */
  mayWrite?: (() => boolean) | undefined
  windowSeconds?: number
  leaseMs?: number
  /** undefined: there are no cells. */
  places?: KeyPlaces | undefined
}

function toKey({ keyId, scopes, ...row }: CountedRow): AdmittedKey | undefined {
  if (keyId === null || row.isExpired) return undefined
  const { org, orgId, cell, userId, country, currency, expiresAtMs, rateLimit } = row
  return {
    org,
    orgId,
    cell,
    userId,
    keyId,
    scopes: scopes && new Set(scopes),
    country,
    currency,
    expiresAtMs,
    rateLimit,
  }
}

function toWindow({ requests, resetAt, secondsLeft }: CountedRow, limit: number): RateWindow {
  const exceeded = requests > limit
  return { limit, remaining: exceeded ? 0 : limit - requests, resetAt, retryAfter: secondsLeft, exceeded }
}

export class DatabaseAdmission implements Admission, KeyLeases {
  /** Nothing is cached here, but another process of the installation may run with a cache. */
  readonly leaseMs: number
  readonly #options: Required<Omit<DatabaseAdmissionOptions, 'bounds' | 'leaseMs' | 'places' | 'mayWrite'>>
  readonly #rates: KeyRates
  readonly #places: KeyPlaces | undefined
  readonly #lastUsed: LastUsed
  readonly #sweeping: NodeJS.Timeout

  constructor({
    leaseMs = LEASE_MS,
    windowSeconds = RATE_WINDOW_SECONDS,
    places,
    bounds,
    mayWrite,
    ...options
  }: DatabaseAdmissionOptions) {
    this.leaseMs = leaseMs
    this.#options = { ...options, windowSeconds }
    this.#rates = new KeyRates({ usual: options.requestsPerMinute, bounds, windowMs: windowSeconds * 1000 })
    this.#places = places
    this.#lastUsed = new LastUsed(options.db, options.log, { ...(mayWrite && { mayWrite }) })
    this.#sweeping = setInterval(() => this.sweep(), SWEEP_EVERY_MS).unref()
  }

  async admit(token: string | undefined, address: string): Promise<Admitted> {
    const { db, windowSeconds, requestsPerMinute } = this.#options
    const hash = token !== undefined && isKeyShaped(token) ? hashKey(token) : undefined
    const known = this.#places && hash && (await this.#countAtPlace(this.#places, hash))
    if (known) return known
    const addressBucket = digestOf('sha256', networkOf(address), 'buffer')
    const count = (directory: Db) =>
      countIfPossible((how) => countKeyRequest(directory, { hash, addressBucket, windowSeconds }, how))
    const row = await (this.#places ? this.#places.askDirectory(count) : count(db))
    const key = toKey(row)
    if (key) {
      const counted = this.#places && hash && (await this.#countFirst(this.#places, hash, row))
      return this.#accept(key, counted ?? row)
    }
    const window = toWindow(row, requestsPerMinute)
    if (token === undefined) return { key, refused: 'missing', window }
    return { key, refused: row.isExpired ? 'expired' : 'unknown', window }
  }

  #accept(key: AdmittedKey, row: CountedRow): Admitted {
    const nowMs = this.#options.clock.now().getTime()
    this.#lastUsed.mark(key, nowMs)
    return this.#rates.admit(key, toWindow(row, this.#rates.limitOf(key)), nowMs)
  }

  /** Counts in the cell where the key was seen before. @returns undefined: the directory decides */
  async #countAtPlace(places: KeyPlaces, hash: Buffer): Promise<Admitted | undefined> {
    const digest = hash.toString('base64')
    const place = places.find(digest)
    const row = place && (await this.#countIn(places, place, hash))
    const key = row && toKey(row)
    if (key) return this.#accept(key, row)
    if (place) places.forget(digest)
    return undefined
  }

  /**
   * Counts the first request of a key that only the directory knew. All processes count in the cell, also while the
   * cell waits for changes of its copies.
   */
  async #countFirst(
    places: KeyPlaces,
    hash: Buffer,
    { cell, isMoving }: CountedRow,
  ): Promise<CountedRow | undefined> {
    const db = cell > 0 && !isMoving ? places.reach(cell) : undefined
    const counted = db && (await this.#countIn(places, { cell, db }, hash))
    if (counted) places.learn(hash.toString('base64'), cell)
    return counted
  }

  #countIn(
    places: KeyPlaces,
    place: Pick<KeyLocation, 'cell' | 'db'>,
    hash: Buffer,
  ): Promise<CountedRow | undefined> {
    const { windowSeconds } = this.#options
    return places.ask(place, (db) =>
      countIfPossible((how) => countInCell(db, place.cell, { hash, windowSeconds }, how)),
    )
  }

  forget(): void {
    // Every request reads the database.
  }

  /** Removes windows that have ended. After a failure the next sweep removes them. */
  async sweep(): Promise<void> {
    try {
      await deleteEndedWindows(this.#options.db)
      for (const db of this.#places?.reachable() ?? []) await deleteEndedWindows(db)
    } catch (error) {
      this.#options.log.warn({ err: error }, 'ended rate windows not removed yet')
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#sweeping)
    await this.#places?.close()
    await this.#lastUsed.close()
  }
}
