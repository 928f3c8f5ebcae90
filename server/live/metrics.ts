// Metrics of live updates.
import { Counter, Gauge, type Registry } from 'prom-client'
import type { LiveHubs } from './service.ts'

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
