// Tracks the remaining time of each running request.

/** The longest delay of a deadline: one timer for all requests costs less than one timer for each. */
const LOOK_MS = 50

/** The remaining time of one request. It is paused while the body of the request arrives. */
export interface Countdown {
  leftMs: number
  since: number
  readonly onEnd: () => void
}

/** Requests whose time is running. */
export class Countdowns {
  readonly #running = new Set<Countdown>()
  #timer: NodeJS.Timeout | undefined

  run(countdown: Countdown): void {
    if (this.#running.has(countdown)) return
    countdown.since = performance.now()
    this.#running.add(countdown)
    this.#timer ??= setInterval(() => this.#look(), LOOK_MS).unref()
  }

  rest(countdown: Countdown): void {
    if (this.#running.delete(countdown)) countdown.leftMs -= performance.now() - countdown.since
  }

  #look(): void {
    const now = performance.now()
    for (const countdown of this.#running)
      if (now - countdown.since >= countdown.leftMs) {
        this.rest(countdown)
        countdown.onEnd()
      }
    if (this.#running.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}
