// Claims due rows, and works on each while this process holds its lease. All state is in the database: after a kill the
// leases expire, and another process continues.
import type { Logger } from 'pino'
import type { Consumer } from '../base/consumer.ts'
import { type Loop, startWokenLoop } from './loop.ts'
import type { Stop } from './stop.ts'
import type { Wake } from './wake.ts'

export interface LeasedWork {
  /** Resolves when the row is released; rejects if its lease must expire. */
  readonly ended: Promise<void>
  /** Tells the worker that there may be more work. */
  wake?(): void
}

export interface ClaimRoom {
  limit: number
  /** Organizations that have their maximum of workers. */
  without: readonly number[]
}

export interface LeasedItems<Item> {
  items: readonly Item[]
  /** Whether more rows may be due even if there are no items. */
  hasMore?: boolean
}

/** Makes rows due, such as the deliveries of events. */
interface Producer<Item extends { org: number }, W extends LeasedWork> {
  /** One transaction. It wakes the queue after it has made rows due. @returns whether there may be more to do */
  round(queue: LeasedQueue<Item, W>): Promise<boolean>
  /** Events for this consumer start a round. */
  consumer?: Consumer
}

/** Describes one kind of leased rows. */
export interface LeasedKind<Item extends { org: number }, W extends LeasedWork> {
  /** A plural noun, for the log. */
  name: string
  /** How many rows this process works on at the same time. */
  max: number
  maxPerOrganization?: number
  stop: Stop
  /** Leases rows that are due. */
  claim(room: ClaimRoom): Promise<LeasedItems<Item>>
  keyOf(item: Item): string
  /** @param lost aborted when `renew` finds that another process holds the lease */
  start(item: Item, lost: AbortSignal): W
  onError(error: unknown, item: Item): void
  /** Undefined if the workers renew their leases themselves. */
  renew?: {
    everyMs: number
    /** Renews all leases in one statement. @returns the items whose lease is lost */
    all(items: readonly Item[]): Promise<readonly Item[]>
  }
  producers?: readonly Producer<Item, W>[]
}

/** Background work of one kind. */
export interface Engine {
  /** Does all due work, and the work that follows from it; for tests. */
  drain(): Promise<void>
  /** Works until stopped. */
  start(): void
  /** Waits at most `graceMs` for the work in progress. */
  stop(graceMs: number): Promise<void>
}

const POLL_MS = 100
/** The longest pause between polls while there is no work. Rows that become due wait up to this long. */
const IDLE_MS = 1000

interface Held<Item, W> {
  item: Item
  worker: W
  lost: AbortController
  ended: Promise<void>
}

export class LeasedQueue<Item extends { org: number }, W extends LeasedWork> implements Engine {
  readonly #wake: Wake
  readonly #kind: LeasedKind<Item, W>
  readonly #onError: (err: unknown) => void
  readonly #held = new Set<Held<Item, W>>()
  /** The latest worker by key: after a lost lease, a row may have two workers. */
  readonly #latest = new Map<string, W>()
  #loops: Loop[] = []
  #claiming: Loop | undefined
  #renewing: NodeJS.Timeout | undefined

  constructor({ wake, log }: { wake: Wake; log: Logger }, kind: LeasedKind<Item, W>) {
    this.#wake = wake
    this.#kind = kind
    this.#onError = (err) => log.error({ err }, `${kind.name} had an error and continue`)
  }

  /** Claims rows soon; called when rows may have become due. */
  wake(): void {
    this.#claiming?.wake()
  }

  /** The latest worker of a row in this process. */
  workerOf(key: string): W | undefined {
    return this.#latest.get(key)
  }

  async drain(): Promise<void> {
    for (let isBusy = true; isBusy; ) {
      isBusy = false
      for (const { round } of this.#kind.producers ?? []) if (await round(this)) isBusy = true
      if (await this.#claim()) isBusy = true
      await this.#allEnded()
    }
  }

  start(): void {
    const { producers = [], renew } = this.#kind
    const pauses = { pollMs: POLL_MS, idleMs: this.#wake.hearsAll ? IDLE_MS : POLL_MS }
    const startOne = (round: () => Promise<boolean>, on: Consumer | 'work' | undefined) =>
      startWokenLoop({ wake: this.#wake, on, round, ...pauses, onError: this.#onError })
    this.#claiming = startOne(() => this.#claim(), 'work')
    this.#loops = producers.map(({ round, consumer }) => startOne(() => round(this), consumer))
    this.#loops.push(this.#claiming)
    if (renew) this.#renewing = setInterval(() => void this.#renew(renew).catch(this.#onError), renew.everyMs)
  }

  stop(graceMs: number): Promise<void> {
    return this.#kind.stop.within(graceMs, async () => {
      await Promise.all(this.#loops.map((loop) => loop.stop()))
      for (const { worker } of this.#held) worker.wake?.()
      await this.#allEnded()
      clearInterval(this.#renewing)
    })
  }

  /** @returns whether more rows may be due */
  async #claim(): Promise<boolean> {
    const limit = this.#kind.max - this.#held.size
    if (limit <= 0) return false
    const { items, hasMore = false } = await this.#kind.claim({ limit, without: this.#fullOrganizations() })
    for (const item of items) this.#work(item)
    return items.length > 0 || hasMore
  }

  #fullOrganizations(): number[] {
    const { maxPerOrganization = Number.POSITIVE_INFINITY } = this.#kind
    if (this.#held.size < maxPerOrganization) return []
    const byOrg = Map.groupBy(this.#held, ({ item }) => item.org)
    return [...byOrg].filter(([, some]) => some.length >= maxPerOrganization).map(([org]) => org)
  }

  #work(item: Item): void {
    const lost = new AbortController()
    try {
      this.#hold(item, this.#kind.start(item, lost.signal), lost)
    } catch (error) {
      // The other items of the same claim still start.
      this.#kind.onError(error, item)
    }
  }

  #hold(item: Item, worker: W, lost: AbortController): void {
    const key = this.#kind.keyOf(item)
    const end = () => {
      this.#held.delete(held)
      if (this.#latest.get(key) === worker) this.#latest.delete(key)
      this.wake()
    }
    const ended = worker.ended.catch((error: unknown) => this.#kind.onError(error, item)).finally(end)
    const held = { item, worker, lost, ended }
    this.#held.add(held)
    this.#latest.set(key, worker)
  }

  async #allEnded(): Promise<void> {
    while (this.#held.size > 0) await Promise.all([...this.#held].map(({ ended }) => ended))
  }

  async #renew(renew: NonNullable<LeasedKind<Item, W>['renew']>): Promise<void> {
    const asked = [...this.#held]
    if (asked.length === 0) return
    const lost = new Set(await renew.all(asked.map(({ item }) => item)))
    for (const one of asked) if (lost.has(one.item)) one.lost.abort()
  }
}
