// Schedules the reads of events: soon after a write of this process, and several times a second for writes of others.

interface Found {
  isNew: boolean
  isMore: boolean
}

/** Minimum time between two reads, however much is written. */
const APART_MS = 50
/** Maximum time until writes of other processes are found. */
const POLL_MS = 250
/** Pause after a failed read, such as without a database. */
const FAILED_MS = 5000

export class Rounds {
  readonly #look: () => Promise<Found>
  readonly #onError: (error: unknown) => void
  #timer: NodeJS.Timeout | undefined
  #isRunning = false
  #isLooking = false
  #isWoken = false
  /** Doubles while no event is found: an event may wait for the end of an older transaction. */
  #pauseMs = POLL_MS
  #hasFailed = false

  constructor(look: () => Promise<Found>, onError: (error: unknown) => void) {
    this.#look = look
    this.#onError = onError
  }

  start(): void {
    if (this.#isRunning) return
    this.#isRunning = true
    this.#schedule(this.#pauseMs)
  }

  stop(): void {
    this.#isRunning = false
    clearTimeout(this.#timer)
  }

  wake(): void {
    this.#pauseMs = APART_MS
    if (!this.#isRunning || this.#isWoken || this.#hasFailed) return
    this.#isWoken = true
    if (!this.#isLooking) this.#schedule(APART_MS)
  }

  #schedule(ms: number): void {
    clearTimeout(this.#timer)
    if (!this.#isRunning) return
    this.#timer = setTimeout(() => void this.#run(), ms)
    this.#timer.unref()
  }

  async #run(): Promise<void> {
    if (this.#isLooking) return
    this.#isLooking = true
    this.#isWoken = false
    const ms = await this.#pauseAfterLook()
    this.#isLooking = false
    this.#schedule(this.#isWoken ? APART_MS : ms)
  }

  async #pauseAfterLook(): Promise<number> {
    try {
      const { isNew, isMore } = await this.#look()
      this.#hasFailed = false
      if (isMore) return APART_MS
      this.#pauseMs = isNew ? POLL_MS : Math.min(POLL_MS, this.#pauseMs * 2)
      return this.#pauseMs
    } catch (error) {
      if (!this.#hasFailed) this.#onError(error)
      this.#hasFailed = true
      return FAILED_MS
    }
  }
}
