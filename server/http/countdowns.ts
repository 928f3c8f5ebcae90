// The time that is left of each request in flight.

/** How late a deadline may be noticed: one timer for all requests costs less than one for each. */
const LOOK_MS = 50

/** The time of one request: it passes while the service has the request, and is paused while its body arrives. */
export interface Countdown {
  leftMs: number
  since: number
  readonly onEnd: () => void
}

/** Requests whose time passes. */
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
