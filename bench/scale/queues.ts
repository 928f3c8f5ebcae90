// A network of queues, simulated event by event: each station has servers and one line, first come, first served.
import type { Random } from '../../server/demo/random.ts'

/** The stay of a request at one station. `station` -1: time that passes without a server. */
export interface Visit {
  station: number
  ms: number
}

export const DELAY = -1

export interface Model {
  /** Number of servers of each station. */
  stations: readonly number[]
  /** Requests per second with random arrivals; or the number of clients, each with one request at a time. */
  rate?: number
  clients?: number
  /** The visits of the next request. */
  request(random: Random): readonly Visit[]
}

export interface Outcome {
  /** From arrival to the end of the last visit, sorted. */
  latenciesMs: Float64Array
  /** Requests per second that ended. */
  rate: number
  /** Share of time that the servers of each station were busy. */
  busy: number[]
}

export const exponential = (random: Random, mean: number): number => -mean * Math.log(1 - random.next())

interface Request {
  at: number
  arrivedAt: number
  visits: readonly Visit[]
  next: number
}

/** A heap with the earliest request first. */
class Agenda {
  readonly #heap: Request[] = []

  get first(): Request | undefined {
    return this.#heap[0]
  }

  add(request: Request): void {
    const heap = this.#heap
    let place = heap.length
    for (let above = (place - 1) >> 1; place > 0; above = (place - 1) >> 1) {
      const parent = heap[above]
      if (!parent || parent.at <= request.at) break
      heap[place] = parent
      place = above
    }
    heap[place] = request
  }

  take(): Request | undefined {
    const [first, last] = [this.#heap[0], this.#heap.pop()]
    if (last && last !== first) this.#sink(last)
    return first
  }

  #sink(request: Request): void {
    const heap = this.#heap
    let place = 0
    for (let below = 1; below < heap.length; below = 2 * place + 1) {
      const [left, right] = [heap[below], heap[below + 1]]
      const isRight = left && right && right.at < left.at
      const child = isRight ? right : left
      if (!child || child.at >= request.at) break
      heap[place] = child
      place = isRight ? below + 1 : below
    }
    heap[place] = request
  }
}

/** Requests that left the line are removed in batches, because each removal moves all the others. */
const SHIFT_BATCH = 10_000

class Station {
  readonly servers: number
  readonly #line: Request[] = []
  #head = 0
  #working = 0
  busyMs = 0

  constructor(servers: number) {
    this.servers = servers
  }

  /** @returns the request if a server is free; otherwise it waits */
  enter(request: Request): Request | undefined {
    if (this.#working === this.servers) return void this.#line.push(request)
    this.#working++
    return request
  }

  /** @returns the next request in the line, if any */
  leave(): Request | undefined {
    const next = this.#line[this.#head]
    if (!next) {
      this.#working--
      return undefined
    }
    this.#head++
    if (this.#head === SHIFT_BATCH) {
      this.#line.splice(0, this.#head)
      this.#head = 0
    }
    return next
  }
}

class Simulation {
  readonly #model: Model
  readonly #rooms: Station[]
  readonly #agenda = new Agenda()
  readonly #random: Random
  /** Called with the latency of each request. */
  readonly #onEnd: (ms: number) => void
  now = 0

  constructor(model: Model, random: Random, onEnd: (ms: number) => void) {
    this.#model = model
    this.#random = random
    this.#onEnd = onEnd
    this.#rooms = model.stations.map((servers) => new Station(servers))
  }

  get busy(): number[] {
    return this.#rooms.map(({ busyMs, servers }) => busyMs / servers / this.now)
  }

  begin(): void {
    this.#proceed({ at: this.now, arrivedAt: this.now, visits: this.#model.request(this.#random), next: 0 })
  }

  /** Advances to the end of the next visit, or to `until`. @returns whether a visit ended */
  step(until: number): boolean {
    const first = this.#agenda.first
    const isBefore = first !== undefined && first.at < until
    this.now = isBefore ? first.at : until
    if (!isBefore) return false
    this.#agenda.take()
    this.#finish(first)
    return true
  }

  #serve(one: Request): void {
    const ms = one.visits[one.next]?.ms ?? 0
    const room = this.#roomOf(one)
    if (room) room.busyMs += ms
    one.at = this.now + ms
    this.#agenda.add(one)
  }

  #roomOf(one: Request): Station | undefined {
    return this.#rooms[one.visits[one.next]?.station ?? DELAY]
  }

  #proceed(one: Request): void {
    if (one.next === one.visits.length) {
      this.#onEnd(this.now - one.arrivedAt)
      return
    }
    const room = this.#roomOf(one)
    const served = room ? room.enter(one) : one
    if (served) this.#serve(served)
  }

  #finish(one: Request): void {
    const waiting = this.#roomOf(one)?.leave()
    one.next++
    if (waiting) this.#serve(waiting)
    this.#proceed(one)
  }
}

/** @param count number of measured requests. A tenth of this number runs before them as a warm-up */
export function simulate(model: Model, count: number, random: Random): Outcome {
  const { rate = 0, clients = 0 } = model
  const [skipped, latencies] = [Math.ceil(count / 10), new Float64Array(count)]
  let ended = 0
  const simulation = new Simulation(model, random, (ms) => {
    const place = ended++ - skipped
    if (place >= 0 && place < count) latencies[place] = ms
    if (clients > 0) simulation.begin()
  })
  const pause = () => (rate > 0 ? exponential(random, 1000 / rate) : Number.POSITIVE_INFINITY)
  let nextAt = pause()
  for (let client = 0; client < clients; client++) simulation.begin()
  while (ended < count + skipped) {
    if (simulation.step(nextAt)) continue
    nextAt += pause()
    simulation.begin()
  }
  const { now, busy } = simulation
  return { latenciesMs: latencies.sort(), rate: (1000 * ended) / now, busy }
}
