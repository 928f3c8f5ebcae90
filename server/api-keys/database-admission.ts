// Admission where several processes answer the requests: one statement per request, the database's clock.
import { hash } from 'node:crypto'
import type { Logger } from 'pino'
import { RATE_WINDOW_SECONDS } from '../../contract/limits.ts'
import type { Db } from '../db/pool.ts'
import type { Admission, Admitted, AdmittedKey, RateWindow } from '../http/admission.ts'
import { hashKey, isKeyShaped } from './key.ts'
import { LastUsed } from './last-used.ts'
import { LEASE_MS } from './lease.ts'
import type { KeyLeases } from './service.ts'
import { type CountedRow, countRequest, deleteEndedWindows } from './store.ts'

const SWEEP_EVERY_MS = 60_000

interface DatabaseAdmissionOptions {
  db: Db
  log: Logger
  clock: { now(): Date }
  requestsPerMinute: number
  windowSeconds?: number
  leaseMs?: number
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
  readonly #options: Required<Omit<DatabaseAdmissionOptions, 'leaseMs'>>
  readonly #lastUsed: LastUsed
  readonly #sweeping: NodeJS.Timeout

  constructor({
    leaseMs = LEASE_MS,
    windowSeconds = RATE_WINDOW_SECONDS,
    ...options
  }: DatabaseAdmissionOptions) {
    this.leaseMs = leaseMs
    this.#options = { ...options, windowSeconds }
    this.#lastUsed = new LastUsed(options.db, options.log)
    this.#sweeping = setInterval(() => this.sweep(), SWEEP_EVERY_MS).unref()
  }

  async admit(token: string | undefined, address: string): Promise<Admitted> {
    const { db, clock, windowSeconds, requestsPerMinute } = this.#options
    const row = await countRequest(db, {
      hash: token !== undefined && isKeyShaped(token) ? hashKey(token) : undefined,
      addressBucket: hash('sha256', address, 'buffer'),
      windowSeconds,
    })
    const key = toKey(row)
    const window = toWindow(row, key?.rateLimit ?? requestsPerMinute)
    if (key) {
      this.#lastUsed.mark(key, clock.now().getTime())
      return { key, refused: undefined, window }
    }
    if (token === undefined) return { key, refused: 'missing', window }
    return { key, refused: row.isExpired ? 'expired' : 'unknown', window }
  }

  forget(): void {
    // Every request asks the database.
  }

  /** Removes windows that are over; what fails is done the next time. */
  async sweep(): Promise<void> {
    try {
      await deleteEndedWindows(this.#options.db)
    } catch (error) {
      this.#options.log.warn({ err: error }, 'ended rate windows not removed yet')
    }
  }

  close(): Promise<void> {
    clearInterval(this.#sweeping)
    return this.#lastUsed.write()
  }
}
