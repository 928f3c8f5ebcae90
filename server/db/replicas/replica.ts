// One standby for reads, with its last reported state.
import { setTimeout as delay } from 'node:timers/promises'
import type { Pool } from '../pool.ts'
import { classifyServer, type PrimaryState, type ReplicaState, selectStandby } from './server-state.ts'
import { shareReads } from './shared-read.ts'

/** A standby and its connections. */
export interface ReplicaServer<Use> {
  /** Its host, for logs and metrics. */
  name: string
  /** A connection for queries of its position. */
  monitor: Pool
  /** Connections for reads. */
  use: Use
  breakOff(): void
  close(): Promise<void>
}

/** How long a read waits for a replica to reach a position. A read of the primary would have ended by then. */
const REACH_MS = 250
const REACH_POLL_MS = 5

export class Replica<Use> {
  readonly name: string
  readonly use: Use
  readonly #server: ReplicaServer<Use>
  readonly #now: () => number
  readonly #refresh = shareReads(() => this.#ask())
  readonly #refreshLater = shareReads(() => delay(REACH_POLL_MS).then(this.#refresh))
  readonly #onState: (state: ReplicaState) => void
  #primary: PrimaryState | undefined
  #state: ReplicaState | undefined
  /** Bytes of log that the standby has replayed. */
  position = 0
  /** The position after the last wait that timed out. */
  #stalledAt: number | undefined
  /** When the standby last answered. */
  answeredAt = Number.NEGATIVE_INFINITY
  reads = 0

  /** @param onState called with the first state and with each change */
  constructor(server: ReplicaServer<Use>, now: () => number, onState: (state: ReplicaState) => void) {
    this.#onState = onState
    this.name = server.name
    this.use = server.use
    this.#server = server
    this.#now = now
  }

  get state(): ReplicaState {
    return this.#state ?? 'down'
  }

  #enter(state: ReplicaState): void {
    if (state === this.#state) return
    this.#state = state
    this.#onState(state)
  }

  /** Queries the state. Never rejects: a standby that does not answer is `down`. */
  refresh(primary: PrimaryState | undefined): Promise<void> {
    this.#primary = primary ?? this.#primary
    return this.#refresh()
  }

  async answers(): Promise<boolean> {
    await this.#refresh()
    return this.state === 'ready'
  }

  /**
   * Waits up to REACH_MS until the standby has replayed `position`. All waiting reads share one query every
   * REACH_POLL_MS. Does not wait if the position is the same as after the last wait that timed out.
   */
  async reaches(position: number): Promise<boolean> {
    if (this.position >= position) return true
    if (position === Number.POSITIVE_INFINITY || this.position === this.#stalledAt) return false
    const late = delay(REACH_MS, undefined, { ref: false })
    const end = this.#now() + REACH_MS
    for (let ask = this.#refresh; this.#now() < end; ask = this.#refreshLater) {
      await Promise.race([ask(), late])
      if (this.state !== 'ready') return false
      if (this.position >= position) return true
    }
    this.#stalledAt = this.position
    return false
  }

  async #ask(): Promise<void> {
    const primary = this.#primary
    if (primary === undefined) return
    try {
      const standby = await selectStandby(this.#server.monitor)
      this.position = standby.position ?? 0
      this.answeredAt = this.#now()
      this.#enter(classifyServer(primary, standby))
    } catch {
      this.#enter('down')
    }
  }

  breakOff(): void {
    this.#server.monitor.breakOff()
    this.#server.breakOff()
  }

  async close(): Promise<void> {
    await this.#server.monitor.close()
    await this.#server.close()
  }
}
