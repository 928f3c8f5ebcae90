// All tabs of a browser share one stream of live updates, because browsers allow few connections to a server (six
// without HTTP/2). The tab that holds the lock opens the stream and forwards the changes to the others.
import { type LiveNews, LiveStream } from './live-stream.ts'

/** A tab that is hidden for this time gives up the stream. When it is visible again, it reads all data again. */
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

  /** Waits for the lock, then opens the stream and keeps it until the tab leaves. */
  #join(): void {
    const membership = new AbortController()
    this.#membership = membership
    const { signal } = membership
    // Locks exist only on https and on localhost. Without locks, each tab opens a stream.
    if (!('locks' in navigator)) return void this.#lead(signal, (news) => this.#receive(news))
    const tell = (news: LiveNews) => {
      this.#receive(news)
      this.#channel.postMessage(news)
    }
    // The request rejects if the tab leaves before it has the lock.
    navigator.locks.request(this.#name, { signal }, () => this.#lead(signal, tell)).catch(() => undefined)
  }

  /** @returns a promise that resolves when the tab leaves */
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

/** @returns a function that stops following */
export function followChanges(org: string, hear: (news: LiveNews) => void): () => void {
  const follower = new Follower(org, hear)
  return () => follower.close()
}
