// Live updates for every tab of the browser by one stream: connections to one server are few (six without HTTP/2). The
// tab that holds the lock has the stream and passes on what it hears.
import { type LiveNews, LiveStream } from './live-stream.ts'

/** A tab that is hidden for so long lets go of the stream; it reads everything again when it is seen. */
const HIDDEN_MS = 60_000

class Follower {
  readonly #org: string
  readonly #hear: (news: LiveNews) => void
  readonly #channel: BroadcastChannel
  readonly #name: string
  #lastId = ''
  #membership: AbortController | undefined
  #hidden: ReturnType<typeof setTimeout> | undefined

  constructor(org: string, hear: (news: LiveNews) => void) {
    this.#org = org
    this.#hear = hear
    this.#name = `rapport live updates of ${org}`
    this.#channel = new BroadcastChannel(this.#name)
    this.#channel.onmessage = ({ data }: MessageEvent<LiveNews>) => this.#receive(data)
    document.addEventListener('visibilitychange', this.#onVisibility)
    this.#join()
    this.#onVisibility()
  }

  close(): void {
    document.removeEventListener('visibilitychange', this.#onVisibility)
    clearTimeout(this.#hidden)
    this.#leave()
    this.#channel.close()
  }

  #receive(news: LiveNews): void {
    this.#lastId = news === 'everything' ? '' : news.id
    this.#hear(news)
  }

  /** Waits for its turn to have the stream, and has it until it leaves. */
  #join(): void {
    const membership = new AbortController()
    this.#membership = membership
    const { signal } = membership
    // Locks exist only on https and on localhost: elsewhere each tab has a stream.
    if (!('locks' in navigator)) return void this.#lead(signal, (news) => this.#receive(news))
    const tell = (news: LiveNews) => {
      this.#receive(news)
      this.#channel.postMessage(news)
    }
    // It rejects when the tab leaves before its turn.
    navigator.locks.request(this.#name, { signal }, () => this.#lead(signal, tell)).catch(() => undefined)
  }

  /** @returns a promise that settles when the tab leaves */
  #lead(signal: AbortSignal, hear: (news: LiveNews) => void): Promise<void> {
    if (signal.aborted) return Promise.resolve()
    const stream = new LiveStream(this.#org, { lastId: this.#lastId, hear })
    return new Promise((resolve) => {
      const end = () => {
        stream.close()
        resolve()
      }
      signal.addEventListener('abort', end, { once: true })
    })
  }

  #leave(): void {
    this.#membership?.abort()
    this.#membership = undefined
  }

  readonly #onVisibility = (): void => {
    clearTimeout(this.#hidden)
    if (document.hidden) this.#hidden = setTimeout(() => this.#leave(), HIDDEN_MS)
    else if (!this.#membership) {
      this.#receive('everything')
      this.#join()
    }
  }
}

/** @returns stops following */
export function followChanges(org: string, hear: (news: LiveNews) => void): () => void {
  const follower = new Follower(org, hear)
  return () => follower.close()
}
