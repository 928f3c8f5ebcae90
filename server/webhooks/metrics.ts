// Metrics of webhooks for operators.
import { Gauge, type Registry } from 'prom-client'
import type { Db } from '../db/pool.ts'
import {
  countPendingDeliveries,
  countStuckDeliveries,
  DELIVERIES_COUNTED_MAX,
} from './delivery/sweeper-store.ts'
import { countMessages } from './svix/store.ts'

/** Adds gauges that query the database when they are collected: NaN when it does not respond. */
export function measureWebhooks(registry: Registry, db: Db): void {
  const stuck = new Gauge({
    aggregator: 'first',
    name: 'rapport_webhooks_stuck',
    help: `Events (counted up to ${DELIVERIES_COUNTED_MAX}) and endpoints that are overdue by a minute; normally zero`,
    labelNames: ['what'],
    registers: [registry],
    async collect() {
      const found = await countStuckDeliveries(db).catch(() => undefined)
      stuck.set({ what: 'events' }, found?.undispatched ?? Number.NaN)
      stuck.set({ what: 'endpoints' }, found?.forgottenQueues ?? Number.NaN)
    },
  })
  const waiting = new Gauge({
    aggregator: 'first',
    name: 'rapport_webhooks_waiting',
    help: `Pending deliveries, counted up to ${DELIVERIES_COUNTED_MAX}`,
    registers: [registry],
    async collect() {
      waiting.set(await countPendingDeliveries(db).catch(() => Number.NaN))
    },
  })
}

/** Adds the same gauges for messages to Svix. */
export function measureSvix(registry: Registry, db: Db): void {
  const messages = new Gauge({
    aggregator: 'first',
    name: 'rapport_svix_messages',
    help: `Messages that Svix has not accepted: waiting, stopped after the last attempt, or overdue (normally zero); counted up to ${DELIVERIES_COUNTED_MAX}`,
    labelNames: ['state'],
    registers: [registry],
    async collect() {
      const found = await countMessages(db).catch(() => undefined)
      for (const state of ['waiting', 'stopped', 'forgotten'] as const)
        messages.set({ state }, found?.[state] ?? Number.NaN)
    },
  })
}
