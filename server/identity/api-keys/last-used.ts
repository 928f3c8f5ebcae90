// When keys were last used: collected in memory, written from time to time in one statement.
import type { Logger } from 'pino'
import type { Db } from '../../db/pool.ts'
import { retryOnConflict } from '../../db/retry.ts'
import type { AdmittedKey } from '../../http/admission.ts'
import { updateLastUsed } from './store.ts'

/** Half of the 10 s by which lastUsedAt may lag. */
const WRITE_EVERY_MS = 5000

export class LastUsed {
  readonly #db: Db
  readonly #log: Logger
  readonly #everyMs: number
  readonly #mayWrite: () => boolean
  #uses = new Map<string, { org: number; atMs: number }>()
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> | undefined
  #isClosed = false

  constructor(db: Db, log: Logger, { everyMs = WRITE_EVERY_MS, mayWrite = (): boolean => true } = {}) {
    this.#db = db
    this.#log = log
    this.#everyMs = everyMs
    this.#mayWrite = mayWrite
  }

  mark({ keyId, org }: Pick<AdmittedKey, 'keyId' | 'org'>, atMs: number): void {
    const use = this.#uses.get(keyId)
    if (use) use.atMs = atMs
    else this.#uses.set(keyId, { org, atMs })
    this.#writeLater()
  }

  /** Writes what was collected, if possible. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    await this.#writing
    if (this.#uses.size > 0) await this.#write()
  }

  /** Does not write while another write is unanswered: checks of keys would lose the last free connection. */
  #writeLater(): void {
    if (this.#isClosed || this.#writing || this.#uses.size === 0) return
    this.#timer ??= setTimeout(async () => {
      this.#timer = undefined
      this.#writing = this.#write()
      await this.#writing
      this.#writing = undefined
      this.#writeLater()
    }, this.#everyMs).unref()
  }

  /** Times that could not be written are kept for the next write. */
  async #write(): Promise<void> {
    if (!this.#mayWrite()) return
    const uses = this.#uses
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
