// When keys were last used: collected in memory, written in one statement now and then.
import type { Logger } from 'pino'
import type { Db } from '../db/pool.ts'
import { retryOnConflict } from '../db/retry.ts'
import type { AdmittedKey } from '../http/admission.ts'
import { updateLastUsed } from './store.ts'

/** Half of the 10 s by which lastUsedAt may lag. */
const WRITE_EVERY_MS = 5000

export class LastUsed {
  readonly #db: Db
  readonly #log: Logger
  #uses = new Map<string, { org: number; atMs: number }>()
  #timer: NodeJS.Timeout | undefined

  constructor(db: Db, log: Logger) {
    this.#db = db
    this.#log = log
  }

  mark({ keyId, org }: AdmittedKey, atMs: number): void {
    const use = this.#uses.get(keyId)
    if (use) use.atMs = atMs
    else this.#uses.set(keyId, { org, atMs })
    this.#timer ??= setTimeout(() => this.write(), WRITE_EVERY_MS).unref()
  }

  /** Writes what was collected; what cannot be written is kept for the next time. */
  async write(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const uses = this.#uses
    if (uses.size === 0) return
    this.#uses = new Map()
    try {
      const rows = Array.from(uses, ([keyId, use]) => ({ keyId, ...use }))
      await retryOnConflict(() => updateLastUsed(this.#db, rows))
    } catch (error) {
      this.#log.warn({ err: error }, 'last use of API keys not written yet')
      this.#uses = new Map([...uses, ...this.#uses])
    }
  }
}
