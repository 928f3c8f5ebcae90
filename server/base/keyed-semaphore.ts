// A semaphore whose places are shared between keys, such as organizations. A key holds at most `perKey` places and has
// a separate line of waiters. A free place goes to the key that holds the fewest places.

/** Releases the place; further calls do nothing. */
export type Release = () => void

/** `share`: the key holds its maximum, or too many of it wait. `all`: other keys hold the places. */
export type NoPlace = 'share' | 'all'

interface Limits<Key> {
  places: number
  /** At least 1. A function is called each time a place is assigned. */
  perKey: number | ((key: Key) => number)
}

interface Patience {
  /** How long to wait; unset: until there is a place. */
  waitMs?: number
  /** How many waiters of a key are allowed; unset: any number. */
  waitingMax?: number
  /** Ends the wait; the promise rejects with the reason of the signal. */
  signal?: AbortSignal | undefined
}

export interface KeyedSemaphore<Key> {
  /** Takes a place that is free now; otherwise returns undefined. */
  tryAcquire(key: Key): Release | undefined
  /** Runs `work` in a place. @returns undefined, without running it, if no place is free now or within `waitMs` */
  tryWithin<Result>(key: Key, work: () => Promise<Result>, waitMs?: number): Promise<Result | undefined>
  /** @throws NoPlaceError */
  acquire(key: Key, patience?: Patience): Promise<Release>
  readonly usage: { taken: number; waiting: number }
}

export class NoPlaceError extends Error {
  override readonly name = 'NoPlaceError'
  readonly reason: NoPlace

  constructor(reason: NoPlace) {
    super(reason === 'share' ? 'The key holds all places it may' : 'All places are held')
    this.reason = reason
  }
}

interface Waiter {
  admit: (release: Release) => void
}

/** The taken places and the lines of waiters. */
class FairSemaphore<Key> implements KeyedSemaphore<Key> {
  readonly #limits: Limits<Key>
  readonly #held = new Map<Key, number>()
  /** The first key of the map is next: a key that was admitted moves to the end. */
  readonly #lines = new Map<Key, Set<Waiter>>()
  #taken = 0
  #waiting = 0

  constructor(limits: Limits<Key>) {
    this.#limits = limits
  }

  get usage() {
    return { taken: this.#taken, waiting: this.#waiting }
  }

  tryAcquire(key: Key): Release | undefined {
    if (this.#lines.has(key) || !this.#hasRoom(key)) return undefined
    return this.#take(key)
  }

  async tryWithin<Result>(key: Key, work: () => Promise<Result>, waitMs = 0): Promise<Result | undefined> {
    const release = this.tryAcquire(key) ?? (waitMs > 0 ? await this.#acquireWithin(key, waitMs) : undefined)
    return release && work().finally(release)
  }

  async #acquireWithin(key: Key, waitMs: number): Promise<Release | undefined> {
    try {
      return await this.#wait(key, { waitMs })
    } catch (error) {
      if (error instanceof NoPlaceError) return undefined
      throw error
    }
  }

  async acquire(key: Key, patience: Patience = {}): Promise<Release> {
    patience.signal?.throwIfAborted()
    const free = this.tryAcquire(key)
    if (free) return free
    if ((this.#lines.get(key)?.size ?? 0) >= (patience.waitingMax ?? Number.POSITIVE_INFINITY))
      throw new NoPlaceError('share')
    return this.#wait(key, patience)
  }

  #hasRoom(key: Key): boolean {
    return this.#taken < this.#limits.places && this.#heldBy(key) < this.#maxOf(key)
  }

  #maxOf(key: Key): number {
    const { perKey } = this.#limits
    return typeof perKey === 'number' ? perKey : perKey(key)
  }

  #heldBy(key: Key): number {
    return this.#held.get(key) ?? 0
  }

  #take(key: Key): Release {
    this.#taken++
    this.#held.set(key, this.#heldBy(key) + 1)
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      this.#giveBack(key)
    }
  }

  #giveBack(key: Key): void {
    this.#taken--
    const left = this.#heldBy(key) - 1
    if (left === 0) this.#held.delete(key)
    else this.#held.set(key, left)
    this.#admitNext()
  }

  /** The waiting key below its maximum that holds the fewest places; among equals, the first in order. */
  #nextKey(): Key | undefined {
    if (this.#taken >= this.#limits.places) return undefined
    let best: Key | undefined
    let fewest = Number.POSITIVE_INFINITY
    for (const key of this.#lines.keys()) {
      const held = this.#heldBy(key)
      if (held >= fewest || !this.#hasRoom(key)) continue
      if (held === 0) return key
      best = key
      fewest = held
    }
    return best
  }

  #admitNext(): void {
    for (let key = this.#nextKey(); key !== undefined; key = this.#nextKey()) {
      const [waiter] = this.#lines.get(key) ?? []
      if (!waiter) return
      const line = this.#leave(key, waiter)
      if (line) {
        this.#lines.delete(key)
        this.#lines.set(key, line)
      }
      waiter.admit(this.#take(key))
    }
  }

  /** @returns the rest of the line; undefined if it is empty */
  #leave(key: Key, waiter: Waiter): Set<Waiter> | undefined {
    const line = this.#lines.get(key)
    if (!line?.delete(waiter)) return line
    this.#waiting--
    if (line.size > 0) return line
    this.#lines.delete(key)
    return undefined
  }

  #wait(key: Key, { waitMs, signal }: Patience): Promise<Release> {
    const { promise, resolve, reject } = Promise.withResolvers<Release>()
    const giveUp = (reason: unknown) => {
      settle()
      this.#leave(key, waiter)
      reject(reason)
    }
    const onAbort = () => giveUp(signal?.reason)
    const onTime = () => giveUp(new NoPlaceError(this.#heldBy(key) < this.#maxOf(key) ? 'all' : 'share'))
    const timer = waitMs === undefined ? undefined : setTimeout(onTime, waitMs)
    const settle = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
    }
    const waiter: Waiter = {
      admit(release) {
        settle()
        resolve(release)
      },
    }
    signal?.addEventListener('abort', onAbort, { once: true })
    const line = this.#lines.get(key) ?? new Set()
    this.#lines.set(key, line.add(waiter))
    this.#waiting++
    return promise
  }
}

export const createKeyedSemaphore = <Key>(limits: Limits<Key>): KeyedSemaphore<Key> =>
  new FairSemaphore(limits)

/** Runs `work` while it holds a place of the key. @throws NoPlaceError */
export async function withPlace<Key, Result>(
  semaphore: KeyedSemaphore<Key>,
  key: Key,
  work: () => Promise<Result>,
): Promise<Result> {
  const release = await semaphore.acquire(key)
  try {
    return await work()
  } finally {
    release()
  }
}
