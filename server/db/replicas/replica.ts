// One standby that is read: what it was when it was last asked.
import type { Pool } from '../pool.ts'
import { judge, type PrimaryState, type ReplicaState, selectStandby } from './server-state.ts'
import { shareReads } from './shared-read.ts'

/** A standby, and what reads it. */
export interface ReplicaServer<Use> {
  /** Its host, for logs and metrics. */
  name: string
  /** A connection to ask how far it is. */
  monitor: Pool
  /** Connections to read it with. */
  use: Use
  breakOff(): void
  close(): Promise<void>
}

export class Replica<Use> {
  readonly name: string
  readonly use: Use
  readonly #server: ReplicaServer<Use>
  readonly #now: () => number
  readonly #share = shareReads(() => this.#ask())
  #primary: PrimaryState | undefined
  state: ReplicaState = 'down'
  /** Bytes of log that it has replayed. */
  position = 0
  /** When it last answered. */
  answeredAt = Number.NEGATIVE_INFINITY
  /** Reads in flight. */
  reads = 0

  constructor(server: ReplicaServer<Use>, now: () => number) {
    this.name = server.name
    this.use = server.use
    this.#server = server
    this.#now = now
  }

  /** Asks it for its state. Never rejects: one that does not answer is down. */
  refresh(primary: PrimaryState | undefined): Promise<void> {
    this.#primary = primary ?? this.#primary
    return this.#share()
  }

  async #ask(): Promise<void> {
    const primary = this.#primary
    if (primary === undefined) return
    try {
      const standby = await selectStandby(this.#server.monitor)
      this.state = judge(primary, standby)
      this.position = standby.position ?? 0
      this.answeredAt = this.#now()
    } catch {
      this.state = 'down'
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
