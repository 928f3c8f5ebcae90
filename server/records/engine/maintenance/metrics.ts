// Metrics of the indexes of large objects, for operators.
import { Gauge, type Registry } from 'prom-client'
import type { Db } from '../../../db/pool.ts'
import { INDEX_COUNTED_MAX, selectBacklog } from './overview-store.ts'

/** Adds gauges that query the database when they are collected. NaN: the database does not answer. */
export function measureIndexes(registry: Registry, db: Db): void {
  const building = new Gauge({
    aggregator: 'first',
    name: 'rapport_indexes_building',
    help: 'Objects whose index is being built or removed',
    registers: [registry],
  })
  const oldest = new Gauge({
    aggregator: 'first',
    name: 'rapport_index_changes_oldest_seconds',
    help: 'Age of the oldest change that is not folded into counters yet; normally below a second',
    registers: [registry],
  })
  const unfolded = new Gauge({
    aggregator: 'first',
    name: 'rapport_index_changes',
    help: `Writing statements whose changes are not folded into counters yet, counted up to ${INDEX_COUNTED_MAX}`,
    registers: [registry],
    // One query for all three: they are collected together.
    async collect() {
      const found = await selectBacklog(db).catch(() => undefined)
      building.set(found?.building ?? Number.NaN)
      oldest.set(found?.oldestSeconds ?? Number.NaN)
      unfolded.set(found?.unfolded ?? Number.NaN)
    },
  })
}
