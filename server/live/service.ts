// The hubs of a process, while its API runs: one for each cell with streams.
import { Counter, Gauge, type Registry } from 'prom-client'
import type { StreamBounds } from '../config/rate-config.ts'
import type { BaseContext } from '../db/base-context.ts'
import type { Cells } from '../db/databases.ts'
import type { App } from '../http/request.ts'
import type { Wake } from '../jobs/wake.ts'
import { StreamSlots } from './bounds.ts'
import { LiveHub } from './hub.ts'
import type { LiveStream } from './stream.ts'

type HubContext = Pick<BaseContext, 'db' | 'directory' | 'clock' | 'log'> & { wake: Wake }

export class LiveHubs {
  readonly #open = new Map<number, LiveHub>()
  readonly #slots: StreamSlots
  readonly #stopListening: (() => void)[] = []
  #isClosed = false

  constructor(bounds: StreamBounds) {
    this.#slots = new StreamSlots(bounds)
  }

  get streams(): LiveStream[] {
    return [...this.#open.values()].flatMap(({ streams }) => streams)
  }

  /** The number of streams that were closed because their clients read too slowly. */
  get slow(): number {
    return [...this.#open.values()].reduce((sum, hub) => sum + hub.slow, 0)
  }

  /** The hub of the context's cell. */
  of({ cell, cells }: { cell: number; cells: Cells<HubContext> }): LiveHub {
    const open = this.#open.get(cell)
    if (open) return open
    // Not with the connections of the request that opens the hub.
    const { db, directory, clock, wake, log } = cells.of(cell)
    const hub = new LiveHub({
      db,
      cell,
      directory,
      clock,
      slots: this.#slots,
      onError: (err) =>
        log.warn({ err }, 'live updates of the dashboard are delayed: events could not be read'),
    })
    this.#stopListening.push(wake.onWrite((org) => hub.wake(org)))
    this.#open.set(cell, hub)
    if (this.#isClosed) hub.close()
    return hub
  }

  /** Ends every stream, and rejects new ones. */
  close(): void {
    this.#isClosed = true
    for (const stop of this.#stopListening) stop()
    for (const hub of this.#open.values()) hub.close()
  }
}

/** Must be called before other `preClose` hooks are added, so that streams end before those hooks wait for them. */
export function openLive(app: App, bounds: StreamBounds): LiveHubs {
  const hubs = new LiveHubs(bounds)
  app.addHook('preClose', async () => hubs.close())
  return hubs
}

export function measureLive(registry: Registry, hub: LiveHubs): void {
  const open = new Gauge({
    name: 'rapport_live_streams',
    help: 'Streams of live updates that dashboards have open',
    registers: [registry],
    collect() {
      open.set(hub.streams.length)
    },
  })
  const slow = new Counter({
    name: 'rapport_live_streams_slow_total',
    help: 'Streams of live updates that were closed because their clients read too slowly',
    registers: [registry],
    collect() {
      slow.reset()
      slow.inc(hub.slow)
    },
  })
}
