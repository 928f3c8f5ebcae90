// Messages for Svix in figures, for operators.
import { Gauge, type Registry } from 'prom-client'
import type { Db } from '../../db/pool.ts'
import { COUNTED_MAX } from '../delivery/sweeper-store.ts'
import { countMessages } from './store.ts'

/** Adds gauges that ask the database when they are collected: NaN when it does not answer. */
export function measureSvix(registry: Registry, db: Db): void {
  const messages = new Gauge({
    aggregator: 'first',
    name: 'rapport_svix_messages',
    help: `Messages that Svix has not accepted: waiting, stopped after the last attempt, or overdue (normally zero); counted up to ${COUNTED_MAX}`,
    labelNames: ['state'],
    registers: [registry],
    async collect() {
      const found = await countMessages(db).catch(() => undefined)
      for (const state of ['waiting', 'stopped', 'forgotten'] as const)
        messages.set({ state }, found?.[state] ?? Number.NaN)
    },
  })
}
