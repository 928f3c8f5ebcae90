// Metrics of the clocks: whether they agree, whether data is deleted by age, and whether a worker checks them.
import { Gauge, type Registry } from 'prom-client'
import type { BaseContext } from '../db/base-context.ts'
import { readClocks } from '../db/clock.ts'
import { selectRefusal } from './deletion-clock.ts'
import { selectIdleSeconds } from './due-times.ts'

export function measureClocks(registry: Registry, { db, clock }: Pick<BaseContext, 'db' | 'clock'>): void {
  const difference = new Gauge({
    aggregator: 'first',
    name: 'rapport_clock_difference_seconds',
    help: 'How far the clock of the database is ahead of the clock of this process; negative: behind',
    registers: [registry],
    async collect() {
      const clocks = await readClocks(db, clock).catch(() => undefined)
      difference.set(clocks ? clocks.aheadMs / 1000 : Number.NaN)
    },
  })
  const idle = new Gauge({
    aggregator: 'first',
    name: 'rapport_worker_idle_seconds',
    help: 'Seconds since a worker last did what is due every minute; above 300 no worker works',
    registers: [registry],
    async collect() {
      idle.set(await selectIdleSeconds(db).catch(() => Number.NaN))
    },
  })
  const refused = new Gauge({
    aggregator: 'first',
    name: 'rapport_deletion_refused',
    help: '1 while jobs delete nothing by age, because the clock is not trusted; rapport doctor says why',
    registers: [registry],
    async collect() {
      const refusal = selectRefusal(db).then((reason) => (reason === undefined ? 0 : 1))
      refused.set(await refusal.catch(() => Number.NaN))
    },
  })
}
