// Until when a reader must see everything that was committed, so that it sees its own writes.
//
// A time is enough: the first position that the primary is seen at after it (primary-history.ts) is behind the commit. So
// a write costs the database nothing. The process notes the time of each reader's last write, and the response carries a
// random token, which counts from its first arrival at a process, with any read. That is after the response of its write,
// and after those of all writes whose tokens the client has dropped for it: no clock of another node is trusted, and
// writes in parallel need no order.
import { randomUUID } from 'node:crypto'

/** Whose own writes must be seen. */
export interface Reader {
  /** Of the key or session. */
  id: string
  /** The token that the caller sent: of an earlier `noteWrite`, of any process. */
  given: string | undefined
}

/** A UUID. Other texts are not remembered: callers choose their length. */
const TOKEN = /^[0-9a-f-]{36}$/

export class OwnWrites {
  readonly #now: () => number
  readonly #keptMs: number
  /** Of the last write by reader, and of the first arrival by token; the oldest first. */
  readonly #written = new Map<string, number>()
  readonly #arrived = new Map<string, number>()

  /** @param now milliseconds that only increase @param keptMs older writes are in every replica that is read */
  constructor(now: () => number, keptMs: number) {
    this.#now = now
    this.#keptMs = keptMs
  }

  /** After a commit. @returns a token: a read with it sees the write, on any process */
  noteWrite(reader: string): string {
    this.#written.delete(reader)
    this.#written.set(reader, this.#now())
    return randomUUID()
  }

  /** @returns milliseconds as of `now`; undefined: the reader may lack the last commits */
  timeFor({ id, given }: Reader): number | undefined {
    const written = this.#written.get(id)
    if (given === undefined) return written
    return Math.max(written ?? Number.NEGATIVE_INFINITY, this.#arrivalOf(given))
  }

  #arrivalOf(token: string): number {
    const arrived = this.#arrived.get(token) ?? this.#now()
    if (TOKEN.test(token) && !this.#arrived.has(token)) this.#arrived.set(token, arrived)
    return arrived
  }

  prune(): void {
    const oldest = this.#now() - this.#keptMs
    for (const times of [this.#written, this.#arrived])
      for (const [key, at] of times) {
        if (at >= oldest) break
        times.delete(key)
      }
  }
}
