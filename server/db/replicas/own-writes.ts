// Records up to which time a reader must see all commits, so that it sees its own writes.
//
// A time is sufficient: the first position of the primary that is read after that time (primary-history.ts) includes
// the commit. So a write costs the database nothing. The process records the time of each reader's last write. The
// response has a random token, whose time is its first arrival at a process with a read. That is later than the
// response of the write, and than the responses of all writes whose tokens the client replaced with this one. So no
// clock of another node is used, and parallel writes need no order.
import { randomUUID } from 'node:crypto'

/** A client that must see its own writes. */
export interface Reader {
  /** The id of the key or session. */
  id: string
  /** The token that the client sent, from an earlier `noteWrite` of any process. */
  given: string | undefined
}

/** A UUID. Other texts are not stored, since clients could choose long ones. */
const TOKEN = /^[0-9a-f-]{36}$/

export class OwnWrites {
  readonly #now: () => number
  readonly #keptMs: number
  /** Times of the last write by reader and of the first arrival by token, the oldest first. */
  readonly #written = new Map<string, number>()
  readonly #arrived = new Map<string, number>()

  /** @param now a monotonic clock in milliseconds @param keptMs every replica in use has all older writes */
  constructor(now: () => number, keptMs: number) {
    this.#now = now
    this.#keptMs = keptMs
  }

  /** Call it after a commit. @returns a token: reads with it see the write, on any process */
  noteWrite(reader: string): string {
    this.#written.delete(reader)
    this.#written.set(reader, this.#now())
    return randomUUID()
  }

  /** @returns the time up to which the reader must see commits, as of `now`; undefined: there is none */
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
