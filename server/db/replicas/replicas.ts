// The standbys of one database that may be read in place of the primary.
//
// The positions of the primary and all standbys are queried twice a second. A read gets a standby that answers and
// whose lag is within the limit, if there is one. A reader's own writes are never missing (own-writes.ts): the standby
// must have replayed a position of the primary from after the last write. The caller reads the primary if it gets no
// standby, and if a read of a standby fails.
//
// The replayed position only increases while a standby runs. After a restart it may be lower than before. A restart
// ends the connections, so the standby is not read until its state was queried again.
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { ConfigError } from '../../config/environment.ts'
import type { Pool } from '../pool.ts'
import { Arrivals } from './arrivals.ts'
import { OwnWrites, type Reader } from './own-writes.ts'
import { PrimaryHistory } from './primary-history.ts'
import { Replica, type ReplicaServer } from './replica.ts'
import { type PrimaryState, type ReplicaState, selectPosition, selectPrimary } from './server-state.ts'
import { shareReads } from './shared-read.ts'

export interface ReplicasOptions<Use> {
  /** A connection to the primary, for queries of its position. */
  primary: Pool
  servers: readonly ReplicaServer<Use>[]
  /** Numbers of organizations that are being copied into the database of `primary`. */
  selectArrivals: (primary: Pool) => Promise<readonly number[]>
  lagMaxMs: number
  log: Logger
  /** A monotonic clock in milliseconds. */
  now?: () => number
}

/** Why the primary is read. */
export type PrimaryReason = 'down' | 'lag' | 'position' | 'failed' | 'conflict'

/** A replica for one read; the caller calls `end` after the read. */
export interface ReplicaRead<Use> {
  use: Use
  /** The lag when the replica was chosen: it has all commits that are older than this. */
  staleMs: number
  answers(): Promise<boolean>
  /** @param failure why the primary is read instead */
  end(failure?: PrimaryReason): void
}

export interface ReplicaStatus {
  name: string
  state: ReplicaState
  /** Undefined: unknown. */
  lagMs: number | undefined
  lagBytes: number
}

/** The number of reads by kind and server; `reason`: why the primary was read, else empty. */
export interface ReadCount {
  kind: string
  target: string
  reason: PrimaryReason | ''
  count: number
}

const POLL_MS = 500
/** The longest lag that metrics can show; a longer lag is unknown. */
const MEASURED_MS = 10 * 60_000
/** A standby that answers no poll for this long is not read, although its connection has not timed out yet. */
const SILENT_MS = 1500
/** How long a read waits for the position of the primary. */
const POSITION_MS = 500

export class Replicas<Use> {
  readonly ownWrites: OwnWrites
  readonly #options: ReplicasOptions<Use>
  readonly #now: () => number
  readonly #all: readonly Replica<Use>[]
  readonly #history = new PrimaryHistory(MEASURED_MS)
  readonly #arrivals: Arrivals
  readonly #counts = new Map<string, ReadCount>()
  /** Replicas whose lag is above the limit, and since when. */
  readonly #lagging = new Map<string, { at: number; isTold: boolean }>()
  readonly #stopping = new AbortController()
  readonly #askPosition = shareReads(() => this.#readPosition())
  readonly #pollMs: number
  #primary: PrimaryState | undefined
  #polling: Promise<void> | undefined

  constructor(options: ReplicasOptions<Use>) {
    const { servers, lagMaxMs, now = () => performance.now() } = options
    this.#options = options
    this.#now = now
    this.#all = servers.map(
      (server) => new Replica(server, now, (state) => this.#reportState(server.name, state)),
    )
    // Every replica in use has replayed all commits that are older than the limit.
    this.ownWrites = new OwnWrites(now, lagMaxMs)
    this.#arrivals = new Arrivals(() => options.selectArrivals(options.primary), lagMaxMs)
    this.#pollMs = Math.min(POLL_MS, lagMaxMs / 4)
  }

  /** Polls all servers now and then regularly. Servers that are no standbys of this database are not read. */
  async start(): Promise<void> {
    if (this.#polling) return
    await this.poll()
    this.#polling = this.#pollOn()
  }

  /** @throws ConfigError if a server has answered and is no server of this database */
  requireOwn(): void {
    const wrong = this.#all.find(({ state }) => state === 'other_database')
    if (wrong)
      throw new ConfigError(
        `DATABASE_REPLICA_URLS: ${wrong.name} is not a standby of the database that it is given for: correct its address`,
      )
  }

  /** Queries the primary and every standby once. */
  async poll(): Promise<void> {
    try {
      await this.#askPosition()
      this.#primary = await selectPrimary(this.#options.primary)
      await this.#arrivals.refresh(this.#now())
    } catch {
      // The last positions are kept, so the lag of the standbys increases.
    }
    await Promise.all(this.#all.map((one) => one.refresh(this.#primary)))
    for (const one of this.#all) this.#reportLag(one)
  }

  async #pollOn(): Promise<void> {
    const { signal } = this.#stopping
    while (!signal.aborted) {
      await delay(this.#pollMs, undefined, { signal, ref: false }).catch(() => undefined)
      if (!signal.aborted) await this.poll()
    }
  }

  #reportState(replica: string, state: ReplicaState): void {
    const { log } = this.#options
    if (state === 'ready') log.info({ replica }, 'a replica is read')
    else log.warn({ replica, state }, 'a replica is not read')
  }

  /** Logs a replica once when its lag was above the limit for that long, and once when it has caught up. */
  #reportLag(replica: Replica<Use>): void {
    const { log, lagMaxMs } = this.#options
    const { name, state } = replica
    const now = this.#now()
    const lagMs = this.#staleness(replica)
    const since = this.#lagging.get(name)
    if (state !== 'ready' || lagMs <= lagMaxMs / 2) {
      this.#lagging.delete(name)
      if (since?.isTold && state === 'ready')
        log.info({ replica: name }, 'a replica lags no more: it is read')
    } else if (since === undefined && lagMs > lagMaxMs) this.#lagging.set(name, { at: now, isTold: false })
    else if (since && !since.isTold && now - since.at >= lagMaxMs) {
      since.isTold = true
      log.warn({ replica: name, lagMaxMs }, 'a replica lags too much: the primary is read')
    }
  }

  async #readPosition(): Promise<number> {
    const at = this.#now()
    const position = await selectPosition(this.#options.primary)
    this.#history.add({ at, position })
    this.ownWrites.prune()
    return position
  }

  /**
   * @param reader undefined: a read without a request, which must see all commits up to now
   * @returns undefined: read the primary
   */
  async choose(kind: string, reader: Reader | undefined, org: number): Promise<ReplicaRead<Use> | undefined> {
    // Without a reader the current position is required, so the lag needs no check.
    const candidates = reader ? this.#ready() : this.#answering()
    const after = candidates.length > 0 ? await this.#positionFor(reader, org) : 0
    const best = candidates.sort(
      (a, b) => Number(b.position >= after) - Number(a.position >= after) || a.reads - b.reads,
    )[0]
    if (best === undefined) this.#count(kind, 'primary', this.#whyNone())
    else if (!(await best.reaches(after))) this.#count(kind, 'primary', 'position')
    else return this.#readOf(kind, best)
    return undefined
  }

  #readOf(kind: string, replica: Replica<Use>): ReplicaRead<Use> {
    replica.reads++
    return {
      use: replica.use,
      staleMs: this.#staleness(replica),
      answers: () => replica.answers(),
      end: (failure) => {
        replica.reads--
        if (failure === undefined) this.#count(kind, replica.name, '')
        else this.#count(kind, 'primary', failure)
      },
    }
  }

  #ready(): Replica<Use>[] {
    return this.#answering().filter((one) => this.#staleness(one) <= this.#options.lagMaxMs)
  }

  #answering(): Replica<Use>[] {
    const since = this.#now() - SILENT_MS - this.#pollMs
    return this.#all.filter(({ state, answeredAt }) => state === 'ready' && answeredAt >= since)
  }

  #staleness({ position }: Replica<Use>): number {
    return this.#now() - (this.#history.completeAt(position) ?? Number.NEGATIVE_INFINITY)
  }

  #whyNone(): PrimaryReason {
    return this.#answering().length > 0 ? 'lag' : 'down'
  }

  /** The position that a replica must have for the read; Infinity if the primary does not answer. */
  async #positionFor(reader: Reader | undefined, org: number): Promise<number> {
    if (this.#arrivals.has(org)) return Number.POSITIVE_INFINITY
    const at = reader ? this.ownWrites.timeFor(reader) : this.#now()
    if (at === undefined) return 0
    return this.#history.positionAfter(at) ?? this.#positionNow()
  }

  #positionNow(): Promise<number> {
    const late = delay(POSITION_MS, Number.POSITIVE_INFINITY, { ref: false })
    return Promise.race([this.#askPosition().catch(() => Number.POSITIVE_INFINITY), late])
  }

  #count(kind: string, target: string, reason: ReadCount['reason']): void {
    const key = `${kind} ${target} ${reason}`
    const known = this.#counts.get(key)
    if (known) known.count++
    else this.#counts.set(key, { kind, target, reason, count: 1 })
  }

  get counts(): readonly ReadCount[] {
    return [...this.#counts.values()]
  }

  get status(): ReplicaStatus[] {
    return this.#all.map((one) => {
      const lag = this.#staleness(one)
      return {
        name: one.name,
        state: one.state,
        lagMs: Number.isFinite(lag) ? lag : undefined,
        lagBytes: Math.max(0, this.#history.position - one.position),
      }
    })
  }

  breakOff(): void {
    this.#options.primary.breakOff()
    for (const one of this.#all) one.breakOff()
  }

  async close(): Promise<void> {
    this.#stopping.abort()
    await this.#polling
    await this.#options.primary.close()
    for (const one of this.#all) await one.close()
  }
}
