// Cells check and count the requests of keys instead of the directory. Each process reads a key in the directory once.
//
// Every process refuses a deleted key when the lease (lease.ts) has ended, also while the key's cell does not respond
// or its copies are late. Proof: the deletion commits at C, together with a row of identity_changes for the cell.
// 1. A process uses a cell only within a lease. The lease comes from an answer of the directory that contained no such
//    row for the cell, and it begins before the query is sent.
// 2. If the answer is from before C, the lease ends before C + LEASE_MS. A key that was read in the cell under this
//    lease has the same lease (`trustedAt`), so it ends then too.
// 3. If the answer is from after C, the row was removed, which happens after the deletion was committed in the cell.
// The same holds for new scopes, limits, expiry and currencies.
import type { Logger } from 'pino'
import { unavailable } from '../../base/errors.ts'
import { answerWithin, NoAnswerInTime } from '../../db/answer-in-time.ts'
import type { Cells, Databases } from '../../db/databases.ts'
import type { Db } from '../../db/pool.ts'
import { selectCellsBehind } from '../../placement/placement.ts'
import { digestToHash } from './key.ts'
import { type AdmittedRow, selectKeysInCell } from './store.ts'

/** About 50 MB. */
const KEYS_MAX = 1_000_000
/** A prefix is enough: a lookup in the wrong cell does not find the key. */
const PREFIX = 12
/** The part of the lease after which it is renewed, before it ends. */
const RENEWED_AFTER = 0.4
/** How long a request waits for a database, and how long the next requests then do not use the database. */
const WAIT_MS = 1000
/** The number of the directory among the cells. */
const DIRECTORY = 0

export interface KeyLocation {
  cell: number
  /** Connections to the cell. */
  db: Db
  /** By the monotonic clock: when the lease of everything that is read there begins. */
  trustedAt: number
}

interface Found {
  row: AdmittedRow
  trustedAt: number
}

/** The cells; only their connections for admission are used. */
export type Admitting = Pick<Cells<Pick<Databases, 'admission'>>, 'opened'>

interface KeyPlacesOptions {
  /** Connections to the directory. */
  db: Db
  cells: Admitting
  log: Logger
  leaseMs: number
  monotonic: () => number
}

export class KeyPlaces {
  readonly #options: KeyPlacesOptions
  /** Cells by the first characters of a key's digest, the least recently used first. */
  readonly #cells = new Map<string, number>()
  /** Until when a database is not used, by cell; 0 is the directory. */
  readonly #pausedUntil = new Map<number, number>()
  #trust: { at: number; behind: ReadonlySet<number> } = { at: Number.NEGATIVE_INFINITY, behind: new Set() }
  #renewing: Promise<void> | undefined

  constructor(options: KeyPlacesOptions) {
    this.#options = options
  }

  /** Where the key may be checked; undefined: only in the directory. */
  find(digest: string): KeyLocation | undefined {
    const prefix = digest.slice(0, PREFIX)
    const cell = this.#cells.get(prefix)
    if (cell === undefined) return undefined
    this.#cells.delete(prefix)
    this.#cells.set(prefix, cell)
    const { at, behind } = this.#trust
    const age = this.#options.monotonic() - at
    if (age >= this.#options.leaseMs * RENEWED_AFTER) void this.renew()
    if (age >= this.#options.leaseMs || behind.has(cell)) return undefined
    const db = this.reach(cell)
    return db && { cell, db, trustedAt: at }
  }

  /** @param cell as the directory reports it, of an organization that does not move */
  learn(digest: string, cell: number): void {
    if (cell === 0) return
    this.#cells.set(digest.slice(0, PREFIX), cell)
    for (const oldest of this.#cells.keys()) {
      if (this.#cells.size <= KEYS_MAX) break
      this.#cells.delete(oldest)
    }
    if (!Number.isFinite(this.#trust.at)) void this.renew()
  }

  forget(digest: string): void {
    this.#cells.delete(digest.slice(0, PREFIX))
  }

  /** Connections to a cell, unless it has just failed to respond. */
  reach(cell: number): Db | undefined {
    return this.#isPaused(cell) ? undefined : this.#options.cells.opened.get(cell)?.admission
  }

  #isPaused(cell: number): boolean {
    return this.#options.monotonic() < (this.#pausedUntil.get(cell) ?? Number.NEGATIVE_INFINITY)
  }

  #pause(cell: number): void {
    this.#pausedUntil.set(cell, this.#options.monotonic() + WAIT_MS)
  }

  /** Connections to every cell that has not just failed to respond. */
  reachable(): Db[] {
    const numbers = [...this.#options.cells.opened.keys()].filter((cell) => cell > 0)
    return numbers.map((cell) => this.reach(cell)).filter((db) => db !== undefined)
  }

  /** @returns undefined: the cell does not respond */
  async ask<Answer>(
    { cell, db }: Pick<KeyLocation, 'cell' | 'db'>,
    question: (db: Db) => Promise<Answer>,
  ): Promise<Answer | undefined> {
    try {
      return await answerWithin(question(db), WAIT_MS)
    } catch (err) {
      this.#options.log.warn({ err, cell }, 'a cell does not check keys: the directory does')
      this.#pause(cell)
      return undefined
    }
  }

  /** @throws AppError unavailable if the directory does not respond within a second */
  async askDirectory<Answer>(question: (db: Db) => Promise<Answer>): Promise<Answer> {
    if (this.#isPaused(DIRECTORY)) throw unavailable()
    try {
      return await answerWithin(question(this.#options.db), WAIT_MS)
    } catch (err) {
      if (!(err instanceof NoAnswerInTime)) throw err
      this.#options.log.warn({ err }, 'the directory does not check keys')
      this.#pause(DIRECTORY)
      throw unavailable()
    }
  }

  /** Reads keys in their cells, one statement per cell. @returns by digest; the other keys are in the directory */
  async select(digests: readonly string[]): Promise<Map<string, Found>> {
    await this.renew()
    const groups = new Map<number, { place: KeyLocation; digests: string[] }>()
    for (const digest of digests) {
      const place = this.find(digest)
      const group = place && groups.get(place.cell)
      if (group) group.digests.push(digest)
      else if (place) groups.set(place.cell, { place, digests: [digest] })
    }
    const found = await Promise.all([...groups.values()].map((group) => this.#selectIn(group)))
    return new Map(found.flat())
  }

  async #selectIn({ place, digests }: { place: KeyLocation; digests: string[] }): Promise<[string, Found][]> {
    const { cell, trustedAt } = place
    const rows = await this.ask(place, (db) => selectKeysInCell(db, cell, digests.map(digestToHash)))
    if (rows === undefined) return []
    const found = new Map(rows.map((row) => [row.hash.toString('base64'), { row, trustedAt }]))
    for (const digest of digests) if (!found.has(digest)) this.forget(digest)
    return [...found]
  }

  /** Reads in the directory which cells have copied all changes of keys. */
  renew(): Promise<void> {
    this.#renewing ??= this.#renew().finally(() => {
      this.#renewing = undefined
    })
    return this.#renewing
  }

  async #renew(): Promise<void> {
    const { db, log, monotonic } = this.#options
    const at = monotonic()
    try {
      const behind = await answerWithin(selectCellsBehind(db), WAIT_MS)
      this.#trust = { at, behind: new Set(behind.map(({ cell }) => cell)) }
    } catch (err) {
      log.warn({ err }, 'it is not known which cells have all changes of keys: the directory checks them')
    }
  }

  /** To be called before the connections are closed. */
  async close(): Promise<void> {
    this.#cells.clear()
    await this.#renewing
  }
}
