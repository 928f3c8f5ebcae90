// Keys that were just used, so that most requests read nothing from the database. lease.ts proves it safe.
import type { Logger } from 'pino'
import type { Db } from '../../db/pool.ts'
import type { AdmittedKey } from '../../http/admission.ts'
import { digestToHash } from './key.ts'
import type { KeyLocation, KeyPlaces } from './key-places.ts'
import { type AdmittedRow, selectKeysByHash, selectKeysInCell, toAdmittedKey } from './store.ts'

interface Entry {
  key: AdmittedKey
  /** By the monotonic clock, before the query that returned the key was sent. */
  leasedAt: number
  /** By the same clock, when the last request used the key. */
  usedAt: number
  /** Its organization moves to another cell: each request asks the directory where the organization is. */
  isMoving: boolean
}

interface Read {
  startedAt: number
  key: Promise<AdmittedKey | undefined>
}

interface KeyCacheOptions {
  db: Db
  log: Logger
  leaseMs: number
  /** Well below the lease, so that keys in use are renewed before it ends. */
  refreshMs: number
  /**
   * How long an unused key is still renewed. Well above the lease: with a thousand keys, each is used only
   * from time to time, and its lease would have ended at nearly every request.
   */
  idleMs: number
  /** Milliseconds of a clock that never moves back. */
  monotonic: () => number
  /** undefined: there are no cells. */
  places?: KeyPlaces | undefined
}

export class KeyCache {
  readonly #options: KeyCacheOptions
  readonly #entries = new Map<string, Entry>()
  readonly #reads = new Map<string, Read>()
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(options: KeyCacheOptions) {
    this.#options = options
  }

  get size(): number {
    return this.#entries.size
  }

  /** Finds a key by its digest, while its lease lasts. */
  find(digest: string): AdmittedKey | undefined {
    const entry = this.#entries.get(digest)
    const now = this.#options.monotonic()
    if (entry === undefined || entry.isMoving || now - entry.leasedAt >= this.#options.leaseMs)
      return undefined
    entry.usedAt = now
    return entry.key
  }

  /** Reads the key from the database. Requests of one key share a read. An unknown key is not cached. */
  load(digest: string): Promise<AdmittedKey | undefined> {
    const running = this.#reads.get(digest)
    // A read that began before a move ended must not answer a request that came after the move.
    const mayShare = !this.#entries.get(digest)?.isMoving
    if (running && mayShare && this.#isLeased(running.startedAt)) return this.#share(digest, running)
    const place = this.#options.places?.find(digest)
    const startedAt = place?.trustedAt ?? this.#options.monotonic()
    const read: Read = { startedAt, key: this.#read(digest, startedAt, place) }
    this.#reads.set(digest, read)
    const done = () => {
      if (this.#reads.get(digest) === read) this.#reads.delete(digest)
    }
    read.key.then(done, done)
    return read.key
  }

  /** Reads again if the organization of the answer moves. */
  async #share(digest: string, { key }: Read): Promise<AdmittedKey | undefined> {
    const shared = await key
    return this.#entries.get(digest)?.isMoving ? this.load(digest) : shared
  }

  forget(keyId: string): void {
    for (const [digest, { key }] of this.#entries) if (key.keyId === keyId) this.#entries.delete(digest)
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
    this.#entries.clear()
  }

  #isLeased(leasedAt: number): boolean {
    return this.#options.monotonic() - leasedAt < this.#options.leaseMs
  }

  async #read(
    digest: string,
    leasedAt: number,
    place: KeyLocation | undefined,
  ): Promise<AdmittedKey | undefined> {
    const usedAt = this.#options.monotonic()
    const row = (place && (await this.#readIn(place, digest))) ?? (await this.#readInDirectory(digest))
    if (row === undefined) return undefined
    const key = toAdmittedKey(row)
    if (this.#isClosed) return key
    this.#keep(digest, row, { leasedAt, usedAt })
    this.#refreshLater()
    return key
  }

  async #readIn(place: KeyLocation, digest: string): Promise<AdmittedRow | undefined> {
    const { places } = this.#options
    const rows = await places?.ask(place, (db) => selectKeysInCell(db, place.cell, [digestToHash(digest)]))
    if (rows?.length === 0) places?.forget(digest)
    return rows?.[0]
  }

  async #readInDirectory(digest: string): Promise<AdmittedRow | undefined> {
    const { db, places } = this.#options
    const question = (directory: Db) => selectKeysByHash(directory, [digestToHash(digest)])
    const [row] = await (places ? places.askDirectory(question) : question(db))
    if (row && !row.isMoving) places?.learn(digest, row.cell)
    return row
  }

  /** Reads of one key may overtake each other: the answer with the later lease is kept. */
  #keep(digest: string, row: AdmittedRow, times: Pick<Entry, 'leasedAt' | 'usedAt'>): void {
    const known = this.#entries.get(digest)
    if (known && known.leasedAt > times.leasedAt) return
    this.#entries.set(digest, { key: toAdmittedKey(row), isMoving: row.isMoving, ...times })
  }

  #refreshLater(): void {
    if (this.#isClosed || this.#timer !== undefined || this.#entries.size === 0) return
    this.#timer = setTimeout(() => this.#refreshAndGoOn(), this.#options.refreshMs).unref()
  }

  async #refreshAndGoOn(): Promise<void> {
    try {
      await this.refresh()
    } catch (error) {
      // The leases end, and the next requests read the database themselves.
      this.#options.log.warn({ err: error }, 'cached API keys could not be checked again')
    }
    this.#timer = undefined
    this.#refreshLater()
  }

  /** Renews the keys in use with one read per database. Drops deleted and idle keys. */
  async refresh(): Promise<void> {
    const used = this.#dropIdle()
    if (used.length === 0) return
    const { places } = this.#options
    const others = places ? await this.#refreshInCells(places, used) : used
    if (others.length > 0) await this.#refreshFromDirectory(others)
  }

  /** @returns the digests that were found in no cell */
  async #refreshInCells(places: KeyPlaces, digests: readonly string[]): Promise<string[]> {
    const found = await places.select(digests)
    for (const [digest, { row, trustedAt }] of found) this.#renew(digest, row, trustedAt)
    return digests.filter((digest) => !found.has(digest))
  }

  async #refreshFromDirectory(digests: readonly string[]): Promise<void> {
    const leasedAt = this.#options.monotonic()
    const rows = await selectKeysByHash(this.#options.db, digests.map(digestToHash))
    const keys = new Map(rows.map((row) => [row.hash.toString('base64'), row]))
    for (const digest of digests) {
      const row = keys.get(digest)
      if (row && !row.isMoving) this.#options.places?.learn(digest, row.cell)
      this.#renew(digest, row, leasedAt)
    }
  }

  #renew(digest: string, row: AdmittedRow | undefined, leasedAt: number): void {
    const entry = this.#entries.get(digest)
    // Forgotten or read again during the refresh.
    if (entry === undefined || entry.leasedAt > leasedAt) return
    if (row) this.#keep(digest, row, { leasedAt, usedAt: entry.usedAt })
    else this.#entries.delete(digest)
  }

  /** @returns the digests of the remaining keys */
  #dropIdle(): string[] {
    const oldest = this.#options.monotonic() - this.#options.idleMs
    for (const [digest, { usedAt }] of this.#entries) if (usedAt < oldest) this.#entries.delete(digest)
    return [...this.#entries.keys()]
  }
}
