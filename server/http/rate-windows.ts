// Fixed windows of the rate limit in memory. Plain and synchronous on purpose: rate-limiter-flexible's memory
// store answers with a promise, which would make every request wait for a turn of the event loop's queue, and
// costs 0.4 µs where this costs 0.06 µs (measured on the service's own runtime).
import type { RateWindow } from './admission.ts'

interface Window {
  requests: number
  endsAtMs: number
}

export class RateWindows {
  readonly #windowMs: number
  readonly #max: number
  // In the order in which windows began, which is the order in which they end.
  readonly #windows = new Map<string, Window>()

  /** @param max windows kept at a time: beyond it the oldest is forgotten, so memory is bounded */
  constructor(windowMs: number, max: number) {
    this.#windowMs = windowMs
    this.#max = max
  }

  get size(): number {
    return this.#windows.size
  }

  count(bucket: string, limit: number, nowMs: number): RateWindow {
    let window = this.#windows.get(bucket)
    if (window === undefined || this.#isOver(window, nowMs)) window = this.#begin(bucket, nowMs)
    window.requests++
    const exceeded = window.requests > limit
    return {
      limit,
      remaining: exceeded ? 0 : limit - window.requests,
      resetAt: Math.ceil(window.endsAtMs / 1000),
      retryAfter: Math.ceil((window.endsAtMs - nowMs) / 1000),
      exceeded,
    }
  }

  // A window further ahead than its length comes from a clock that was set back: it would last too long.
  #isOver({ endsAtMs }: Window, nowMs: number): boolean {
    return endsAtMs <= nowMs || endsAtMs > nowMs + this.#windowMs
  }

  #begin(bucket: string, nowMs: number): Window {
    this.#windows.delete(bucket)
    this.#dropOldest(nowMs)
    const window = { requests: 0, endsAtMs: nowMs + this.#windowMs }
    this.#windows.set(bucket, window)
    return window
  }

  /** Two for one: ended windows go faster than new ones come, without a timer and without a long pass. */
  #dropOldest(nowMs: number): void {
    for (const [bucket, window] of this.#windows.entries().take(2)) {
      if (this.#windows.size < this.#max && !this.#isOver(window, nowMs)) return
      this.#windows.delete(bucket)
    }
  }
}
